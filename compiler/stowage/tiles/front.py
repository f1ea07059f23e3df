# SPDX-License-Identifier: Apache-2.0
"""What less memory costs: for each of several limits the plan with the least work, by estimates; those worth having."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stowage.ir.graph import Graph
from stowage.memory.planning import lowest_plan
from stowage.schedule.schedule import Schedule
from stowage.tiles.cost import plain_instructions
from stowage.tiles.search import Found, TilingSearch
from stowage.tiles.stripes import worked
from stowage.tiles.tiling import Tiling
from stowage.tiles.within_limit import searched, tiled

_POINTS = 12
"""Limits that are asked for, from the arena as it is down to the least."""


@dataclass(frozen=True, slots=True)
class Point:
    """One plan.

    Attributes:
        arena_bytes: what it takes; planned, not estimated.
        instructions: what a run executes; an estimate.
        steps: kernel calls.
        tiling: what runs in stripes.
    """

    arena_bytes: int
    instructions: int
    steps: int
    tiling: Tiling


def front(
    graph: Graph,
    schedule: Schedule,
    features: frozenset[str],
    watch: Callable[[Schedule], None] = lambda tried: None,
) -> tuple[Point, ...]:
    """Plans of which none takes more memory and more work than another, the largest first.

    Args:
        graph: what is computed.
        schedule: its steps as they are, in their best order.
        features: those of the core that kernels look at.
        watch: told of every schedule that is tried.
    """
    plain = lowest_plan(schedule, "arena")
    points = [Point(plain.arena_bytes, plain_instructions(worked(graph)), len(plain.schedule.steps), ())]
    graph, search = searched(graph, schedule, plain)
    for found in _candidates(search, plain.arena_bytes):
        if found.tiling not in [point.tiling for point in points]:
            result = tiled(graph, found.tiling, features)
            watch(result.schedule)
            instructions = points[0].instructions + found.instructions
            points.append(Point(result.arena_bytes, instructions, len(result.schedule.steps), found.tiling))
    return tuple(_worth_having(points))


def _candidates(search: TilingSearch, most_bytes: int) -> Iterator[Found]:
    lowest = search.lowest()
    for number in range(1, _POINTS):
        found = search.cheapest(most_bytes - (most_bytes - lowest.peak_bytes) * number // _POINTS)
        if found is not None:
            yield found
    yield lowest


def _worth_having(points: list[Point]) -> Iterator[Point]:
    for point in sorted(points, key=lambda each: (-each.arena_bytes, each.instructions)):
        if not any(_is_better(other, point) for other in points):
            yield point


def _is_better(one: Point, other: Point) -> bool:
    ours, theirs = ((each.arena_bytes, each.instructions, each.steps) for each in (one, other))
    return ours != theirs and ours[0] <= theirs[0] and ours[1] <= theirs[1]
