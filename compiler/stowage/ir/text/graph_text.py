# SPDX-License-Identifier: Apache-2.0
"""The graph level as text and back: ``parse_graph(print_graph(g)) == g``.

A graph is one "stowage.graph" operation: block arguments are its inputs, "stowage.return" has its outputs, and every
node is one line, "stowage." and the operator's mnemonic, with the record's fields as attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stowage.ir.graph import Arithmetic, Array, Graph, Node
from stowage.ir.ops.all import OPS
from stowage.ir.text.attributes import TextError, decode, decode_fields, encode, encode_fields
from stowage.ir.text.operation import Block, Operation
from stowage.ir.text.parser import parse_module
from stowage.ir.text.printer import module_text

_DIALECT = "stowage."
_GRAPH, _RETURN = "stowage.graph", "stowage.return"
_NODE_NAME = "node"
_NONE: Mapping[str, Array] = MappingProxyType({})


def print_graph(graph: Graph) -> str:
    """A graph in MLIR's generic operation syntax; constants are named by their digest, never printed."""
    nodes = tuple(node_operation(node) for node in graph.nodes)
    block = Block(graph.inputs, (*nodes, Operation(_RETURN, operands=graph.outputs)))
    attributes = {"name": graph.name, "arithmetic": encode(graph.arithmetic)}
    return module_text((Operation(_GRAPH, attributes=attributes, block=block),))


def parse_graph(text: str, constants: Mapping[str, Array] = _NONE) -> Graph:
    """The graph that a text spells, over the given constant table.

    Raises:
        TextError: the text is no dump of a graph.
    """
    operations = parse_module(text)
    if [operation.name for operation in operations] != [_GRAPH] or operations[0].block is None:
        raise TextError(f"expected a module with one {_GRAPH}")
    block, attributes = operations[0].block, operations[0].attributes
    if not block.operations or block.operations[-1].name != _RETURN or attributes.keys() != {"name", "arithmetic"}:
        raise TextError(f"expected a {_GRAPH} with a name and an arithmetic that ends in a {_RETURN}")
    nodes = tuple(operation_node(operation) for operation in block.operations[:-1])
    name, arithmetic = decode(attributes["name"], str), decode(attributes["arithmetic"], Arithmetic)
    return Graph(name, block.arguments, block.operations[-1].operands, nodes, arithmetic, constants)


def node_operation(node: Node) -> Operation:
    """A node as one line of a dump."""
    attributes = {_NODE_NAME: node.name, **encode_fields(node.op)}
    return Operation(_DIALECT + node.op.mnemonic, node.inputs, node.outputs, attributes)


def operation_node(operation: Operation) -> Node:
    """The node that a line of a dump spells.

    Raises:
        TextError: there is no such operator, or its attributes are not its fields.
    """
    record = OPS.get(operation.name.removeprefix(_DIALECT))
    if record is None:
        raise TextError(f"there is no operator {operation.name}")
    fields = dict(operation.attributes)
    name = decode(fields.pop(_NODE_NAME, ()), str)
    return Node(name, decode_fields(record, fields), operation.operands, operation.results)
