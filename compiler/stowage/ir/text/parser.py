# SPDX-License-Identifier: Apache-2.0
"""The graph level from the text that `printer` writes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stowage.ir.graph import Arithmetic, Array, Graph, Node
from stowage.ir.ops.all import OPS
from stowage.ir.text.attributes import TextError, decode, decode_fields
from stowage.ir.text.operation import Operation
from stowage.ir.text.operation_parser import parse_module
from stowage.ir.text.printer import DIALECT, GRAPH, NODE_NAME, RETURN

_NONE: Mapping[str, Array] = MappingProxyType({})


def parse_graph(text: str, constants: Mapping[str, Array] = _NONE) -> Graph:
    """The graph that a text spells, over the given constant table.

    Raises:
        TextError: the text is no dump of a graph.
    """
    operations = parse_module(text)
    if [operation.name for operation in operations] != [GRAPH] or operations[0].block is None:
        raise TextError(f"expected a module with one {GRAPH}")
    block, attributes = operations[0].block, operations[0].attributes
    if (
        not block.operations
        or block.operations[-1].name != RETURN
        or attributes.keys() - {"states"} != {"name", "arithmetic"}
    ):
        raise TextError(f"expected a {GRAPH} with a name and an arithmetic that ends in a {RETURN}")
    nodes = tuple(operation_node(operation) for operation in block.operations[:-1])
    name, arithmetic = decode(attributes["name"], str), decode(attributes["arithmetic"], Arithmetic)
    states = decode(attributes.get("states", ()), tuple[tuple[str, str], ...])
    return Graph(name, block.arguments, block.operations[-1].operands, nodes, arithmetic, constants, states)


def operation_node(operation: Operation) -> Node:
    """The node that a line of a dump spells.

    Raises:
        TextError: there is no such operator, or its attributes are not its fields.
    """
    record = OPS.get(operation.name.removeprefix(DIALECT))
    if record is None:
        raise TextError(f"there is no operator {operation.name}")
    fields = dict(operation.attributes)
    name = decode(fields.pop(NODE_NAME, ()), str)
    return Node(name, decode_fields(record, fields), operation.operands, operation.results)
