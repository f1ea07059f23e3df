# SPDX-License-Identifier: Apache-2.0
"""Graphs inside of nodes: the branches and bodies of control flow, and what these read from around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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


def names_read(node: NodeProto) -> list[str]:
    """The tensors that a node reads, each once: operands, and what graphs inside of it take from around them."""
    read = dict.fromkeys(name for name in node.input if name)
    for graph in subgraphs_of(node):
        read.update(dict.fromkeys(_captured(graph)))
    return list(read)


def _captured(graph: GraphProto) -> list[str]:
    own = own_names(graph)
    read = [name for node in graph.node for name in names_read(node)] + [info.name for info in graph.output]
    return [name for name in read if name not in own]


def all_nodes(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """The nodes, and those of all graphs inside of them."""
    for node in nodes:
        yield node
        for graph in subgraphs_of(node):
            for inner in all_graphs(graph):
                yield from inner.node
