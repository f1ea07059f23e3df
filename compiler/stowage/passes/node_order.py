# SPDX-License-Identifier: Apache-2.0
"""The order of nodes after an edit."""

from __future__ import annotations

from stowage.ir.graph import Node, Value


def ordered(nodes: list[Node], outputs: tuple[Value, ...]) -> tuple[Node, ...]:
    """The nodes that `outputs` need, each after those that make its inputs, else in the order given. Linear time."""
    makers = {value.name: index for index, node in enumerate(nodes) for value in node.outputs}
    needed = _reachable(nodes, makers, outputs)
    done: set[int] = set()
    result: list[Node] = []
    for index in sorted(needed):
        pending = [index]
        while pending:
            waiting = _missing(nodes[pending[-1]], makers, done)
            if waiting:
                pending += reversed(waiting)
                continue
            ready = pending.pop()
            if ready not in done:
                done.add(ready)
                result.append(nodes[ready])
    return tuple(result)


def _missing(node: Node, makers: dict[str, int], done: set[int]) -> list[int]:
    found = [makers[value.name] for value in node.inputs if value.name in makers]
    return [index for index in found if index not in done]


def _reachable(nodes: list[Node], makers: dict[str, int], outputs: tuple[Value, ...]) -> set[int]:
    needed: set[int] = set()
    pending = [makers[value.name] for value in outputs if value.name in makers]
    while pending:
        index = pending.pop()
        if index not in needed:
            needed.add(index)
            pending += [makers[value.name] for value in nodes[index].inputs if value.name in makers]
    return needed
