# SPDX-License-Identifier: Apache-2.0
"""Graphs inside of nodes: the branches and bodies of control flow, and what these read from around them."""

from __future__ import annotations

from collections.abc import Iterator

from onnx import AttributeProto, GraphProto, NodeProto


def subgraphs_of(node: NodeProto) -> Iterator[GraphProto]:
    """The graphs among a node's attributes."""
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            yield attribute.g
        yield from attribute.graphs


def all_graphs(graph: GraphProto) -> Iterator[GraphProto]:
    """A graph and all those inside of its nodes, however deep."""
    waiting = [graph]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(inner for node in current.node for inner in subgraphs_of(node))


def own_names(graph: GraphProto) -> set[str]:
    """The tensors that a graph makes, holds or is given."""
    made = {name for node in graph.node for name in node.output}
    return made | {info.name for info in graph.input} | {tensor.name for tensor in graph.initializer}


def names_read(node: NodeProto) -> set[str]:
    """The tensors that a node reads: its operands, and what graphs inside of it take from around them."""
    read = {name for name in node.input if name}
    return read.union(*(_captured(graph) for graph in subgraphs_of(node)))


def _captured(graph: GraphProto) -> set[str]:
    read = {info.name for info in graph.output}.union(*(names_read(node) for node in graph.node))
    return read - own_names(graph)
