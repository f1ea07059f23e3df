# SPDX-License-Identifier: Apache-2.0
"""Whether the file's nodes make a graph: every tensor made once, and before it is used."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence

from onnx import GraphProto, NodeProto

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.subgraphs import names_read

_EXPORT_AGAIN = "export the model again"


def describe(node: NodeProto) -> str:
    """How messages name a node: operator and name, or what it makes where it has no name."""
    op_type = node.op_type if node.op_type.isidentifier() else repr(node.op_type)
    if node.name:
        return f"{op_type} node {node.name!r}"
    return f"{op_type} node that makes {next(iter(node.output), '')!r}"


def graph_inputs(graph: GraphProto) -> list[str]:
    """Names of what the caller feeds: inputs that have no initialiser (older files list initialisers as inputs too)."""
    given = {tensor.name for tensor in graph.initializer}
    return [info.name for info in graph.input if info.name not in given]


def ordered_nodes(graph: GraphProto) -> list[NodeProto]:
    """The nodes in an order in which every tensor is made before it is used: the file's own where that is one.

    Raises:
        InvalidModel: a name is given twice, a tensor is read that nothing makes, or nodes form a cycle.
    """
    _check_unique(graph)
    sources = {info.name for info in graph.input} | {tensor.name for tensor in graph.initializer}
    makers = {name: index for index, node in enumerate(graph.node) for name in node.output if name}
    _check_defined(graph, sources, makers)
    return _sorted(graph.node, makers)


def ordered_body(graph: GraphProto) -> list[NodeProto]:
    """As `ordered_nodes`, for a graph inside of a node, which may read what is made around it.

    Raises:
        InvalidModel: a name is given twice, or nodes form a cycle.
    """
    _check_unique(graph)
    return _sorted(graph.node, {name: index for index, node in enumerate(graph.node) for name in node.output if name})


def _check_unique(graph: GraphProto) -> None:
    made = [name for node in graph.node for name in node.output if name]
    _refuse_twice([info.name for info in graph.input], "input")
    _refuse_twice([info.name for info in graph.output], "output")
    _refuse_twice([tensor.name for tensor in graph.initializer], "initialiser")
    _refuse_twice(made + [info.name for info in graph.input], "tensor")
    _refuse_twice(made + [tensor.name for tensor in graph.initializer], "tensor")


def _refuse_twice(names: Iterable[str], kind: str) -> None:
    seen: set[str] = set()
    for name in names:
        if not name:
            raise InvalidModel(reason=f"an {kind} of the graph has no name", remedy=_EXPORT_AGAIN)
        if name in seen:
            raise InvalidModel(
                where=f"{kind} {name!r}", reason="the name is given twice, but must be unique", remedy=_EXPORT_AGAIN
            )
        seen.add(name)


def _check_defined(graph: GraphProto, sources: Collection[str], makers: Collection[str]) -> None:
    for node in graph.node:
        for name in names_read(node):
            if name not in sources and name not in makers:
                raise InvalidModel(
                    where=describe(node),
                    reason=f"it reads the tensor {name!r}, which no node, input or initialiser makes",
                    remedy=_EXPORT_AGAIN,
                )
    if not graph.output:
        raise InvalidModel(reason="the model has no outputs", remedy=_EXPORT_AGAIN)
    for info in graph.output:
        if info.name not in sources and info.name not in makers:
            raise InvalidModel(
                where=f"output {info.name!r}",
                reason="no node, input or initialiser makes it",
                remedy=_EXPORT_AGAIN,
            )


def _sorted(nodes: Sequence[NodeProto], makers: dict[str, int]) -> list[NodeProto]:
    """Kahn's algorithm, which keeps the order of a sorted file: linear in nodes and edges."""
    waiting = [{makers[name] for name in names_read(node) if name in makers} for node in nodes]
    readers: list[list[int]] = [[] for _ in nodes]
    for index, needs in enumerate(waiting):
        for need in needs:
            readers[need].append(index)
    if all(need < index for index, needs in enumerate(waiting) for need in needs):
        return list(nodes)
    counts = [len(needs) for needs in waiting]
    ready = deque(index for index, count in enumerate(counts) if not count)
    order: list[int] = []
    while ready:
        order.append(ready.popleft())
        for reader in readers[order[-1]]:
            counts[reader] -= 1
            if not counts[reader]:
                ready.append(reader)
    if len(order) < len(nodes):
        raise _cycle(nodes, waiting, set(range(len(nodes))) - set(order))
    return [nodes[index] for index in order]


def _cycle(nodes: Sequence[NodeProto], waiting: Sequence[set[int]], stuck: set[int]) -> InvalidModel:
    """Walks back from a stuck node along stuck ones until one comes again."""
    path = [min(stuck)]
    seen = {path[0]: 0}
    while (behind := min(waiting[path[-1]] & stuck)) not in seen:
        seen[behind] = len(path)
        path.append(behind)
    members = path[seen[behind] :][::-1]
    first = members.index(min(members))
    members = members[first:] + members[:first]
    shown = ", ".join(describe(nodes[index]) for index in members[:4]) + (", …" if len(members) > 4 else "")
    return InvalidModel(
        where=describe(nodes[members[0]]),
        reason=f"the graph is cyclic: {len(members)} nodes need their own results ({shown})",
        remedy="use an operator with explicit state for a recurrence, and export the model again",
    )
