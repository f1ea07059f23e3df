# SPDX-License-Identifier: Apache-2.0
"""Plans that trade memory for work: none is worse than another in both, and the first is the graph as it is."""

from __future__ import annotations

from itertools import pairwise

from stowage.memory.planning import lowest_plan
from stowage.schedule.order import in_best_order
from stowage.schedule.select import select
from stowage.tiles.arbitrary_chains import residual_network
from stowage.tiles.front import front
from stowage.tiles.within_limit import within_limit

GRAPH = residual_network()
SCHEDULE = in_best_order(select(GRAPH, frozenset()))
POINTS = front(GRAPH, SCHEDULE, frozenset())


def test_less_memory_is_more_work() -> None:
    assert len(POINTS) > 1
    for larger, smaller in pairwise(POINTS):
        assert larger.arena_bytes > smaller.arena_bytes
        assert larger.instructions < smaller.instructions
    assert (POINTS[0].arena_bytes, POINTS[0].tiling) == (lowest_plan(SCHEDULE, "ram").arena_bytes, ())


def test_every_point_can_be_had_as_a_limit() -> None:
    for point in POINTS:
        assert within_limit(GRAPH, SCHEDULE, frozenset(), point.arena_bytes).arena_bytes <= point.arena_bytes
