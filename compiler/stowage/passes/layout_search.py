# SPDX-License-Identifier: Apache-2.0
"""The search for working layouts that make Transposes vanish.

Nodes that can choose and feed one another form a *region*. Every order of axes that a neighbour of the region asks
for is tried on all of it, spread from node to node so that no Transpose is needed between them; after that each node
alone may turn to suit a neighbour. A change is kept only if fewer bytes are transposed in all than before: so the sum
never grows, and the search ends.

Each region is tried with at most `_ORDERS` orders and each node turned at most `_TURNS` times, and a try looks at the
edges near it: time is linear in edges, but where one value has very many users, each of which looks at all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from stowage.passes.axis_rules import has_layout
from stowage.passes.layout_problem import Edge, LayoutProblem
from stowage.passes.permutation import Permutation, composed, identity, inverse

_ORDERS = 6
_TURNS = 4
Seeds = dict[int, Permutation]


def search(problem: LayoutProblem) -> None:
    """Improves `problem.layouts` in place until the rules above find nothing more."""
    for region in _regions(problem):
        for seeds in _candidates(problem, region):
            problem.improve(_spread(problem, region, seeds))
    _turn_single_nodes(problem)


def _regions(problem: LayoutProblem) -> list[list[int]]:
    seen: set[int] = set()
    regions: list[list[int]] = []
    for start in problem.layouts:
        if start in seen:
            continue
        seen.add(start)
        region, pending = [], [start]
        while pending:
            index = pending.pop()
            region.append(index)
            fresh = [other for other in _neighbours(problem, index) if other not in seen]
            seen.update(fresh)
            pending += dict.fromkeys(fresh)
        regions.append(sorted(region))
    return regions


def _neighbours(problem: LayoutProblem, index: int) -> list[int]:
    makers = [problem.makers.get(edge.root) for edge in problem.edges_of[index]]
    users = [edge.user for value in problem.nodes[index].outputs for edge in problem.edges_from.get(value.name, ())]
    return [other for other in (*makers, *users) if other is not None and other in problem.layouts]


def _candidates(problem: LayoutProblem, region: list[int]) -> list[Seeds]:
    """Layouts that suit a neighbour outside, gathered by order of axes; the orders that move most bytes first."""
    by_order: dict[Permutation, Seeds] = {}
    weights: dict[Permutation, int] = {}
    for index in region:
        for layout, edge in _suiting(problem, index):
            if edge.user in problem.layouts and problem.makers.get(edge.root) in problem.layouts:
                continue
            by_order.setdefault(layout, {})[index] = layout
            weights[layout] = weights.get(layout, 0) + problem.roots[edge.root].type.size_bytes
    return [by_order[order] for order in sorted(by_order, key=lambda order: -weights[order])[:_ORDERS]]


def _suiting(problem: LayoutProblem, index: int) -> Iterable[tuple[Permutation, Edge]]:
    """Working layouts of one node with which an edge into it or out of it needs no Transpose."""
    for edge in problem.edges_of[index]:
        if has_layout(problem.nodes[index], edge.operand):
            yield composed(inverse(edge.label), problem.layout_of(edge.root)), edge
    for value in problem.nodes[index].outputs:
        for edge in problem.edges_from.get(value.name, ()):
            layout = problem.layout_for_result(index, problem.wanted(edge))
            if layout is not None:
                yield layout, edge


def _spread(problem: LayoutProblem, region: list[int], seeds: Seeds) -> Seeds:
    """Working layouts for as much of the region as the seeds reach."""
    inside = set(region)
    found = {index: layout for index, layout in seeds.items() if _possible(problem, index, layout)}
    pending = deque(found)
    while pending:
        index = pending.popleft()
        for other, layout in _agreeing(problem, index, found[index]):
            if other in inside and other not in found and layout is not None and _possible(problem, other, layout):
                found[other] = layout
                pending.append(other)
    return found


def _possible(problem: LayoutProblem, index: int, layout: Permutation) -> bool:
    return problem.result_layout(index, layout) is not None


def _agreeing(problem: LayoutProblem, index: int, layout: Permutation) -> Iterable[tuple[int, Permutation | None]]:
    """The neighbours of a node with the layouts that they must have to agree with its own."""
    node = problem.nodes[index]
    for edge in problem.edges_of[index]:
        maker = problem.makers.get(edge.root)
        if maker in problem.layouts and maker is not None and has_layout(node, edge.operand):
            yield maker, problem.layout_for_result(maker, composed(edge.label, layout))
    made = problem.result_layout(index, layout)
    assert made is not None
    for value in node.outputs:
        for edge in problem.edges_from.get(value.name, ()):
            user = edge.user
            if user is not None and user in problem.layouts and has_layout(problem.nodes[user], edge.operand):
                yield user, composed(inverse(edge.label), made)


def _turn_single_nodes(problem: LayoutProblem) -> None:
    pending = deque(problem.layouts)
    turns = dict.fromkeys(problem.layouts, _TURNS)
    while pending:
        index = pending.popleft()
        layouts = [layout for layout, _ in _suiting(problem, index) if _possible(problem, index, layout)]
        layouts.append(identity(len(problem.layouts[index])))
        if turns[index] and any(problem.improve({index: layout}) for layout in dict.fromkeys(layouts)):
            turns[index] -= 1
            pending += [index, *_neighbours(problem, index)]
