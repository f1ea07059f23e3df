# SPDX-License-Identifier: Apache-2.0
"""The graph level as text: ``parse_graph(print_graph(g)) == g``, constants aside.

A graph is one "stowage.graph" operation: block arguments are its inputs, "stowage.return" has its outputs, and every
node is one line, "stowage." and the operator's mnemonic, with the record's fields as attributes.
"""

from __future__ import annotations

from stowage.ir.graph import Graph, Node
from stowage.ir.text.attributes import encode, encode_fields
from stowage.ir.text.operation import Block, Operation
from stowage.ir.text.operation_printer import module_text

DIALECT = "stowage."
GRAPH, RETURN = "stowage.graph", "stowage.return"
NODE_NAME = "node"
"""The attribute that has a node's name."""


def print_graph(graph: Graph) -> str:
    """A graph in MLIR's generic operation syntax; constants are named by their digest, never printed."""
    nodes = tuple(node_operation(node) for node in graph.nodes)
    block = Block(graph.inputs, (*nodes, Operation(RETURN, operands=graph.outputs)))
    attributes = {"name": graph.name, "arithmetic": encode(graph.arithmetic)}
    if graph.states:
        attributes["states"] = encode(graph.states)
    return module_text((Operation(GRAPH, attributes=attributes, block=block),))


def node_operation(node: Node) -> Operation:
    """A node as one line of a dump."""
    attributes = {NODE_NAME: node.name, **encode_fields(node.op)}
    return Operation(DIALECT + node.op.mnemonic, node.inputs, node.outputs, attributes)
