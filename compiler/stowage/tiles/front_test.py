# SPDX-License-Identifier: Apache-2.0
"""Plans that trade memory for work: none is worse than another in both, and the first is the graph as it is."""

from __future__ import annotations

import json
from itertools import pairwise

from stowage.memory.planning import lowest_plan
from stowage.report.pareto_report import pareto_json, pareto_text
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


def test_text_has_a_line_a_plan_and_says_what_is_estimated() -> None:
    head, _, *lines = pareto_text("trial", POINTS).splitlines()
    assert "instructions estimated" in head
    assert len(lines) == len(POINTS)
    assert lines[0].endswith("nothing") and "+0.00%" in lines[0]
    assert "layers by" in lines[-1]


def test_json_has_all_that_is_known() -> None:
    record = json.loads(pareto_json("trial", POINTS))
    assert [point["arena_bytes"] for point in record["points"]] == [point.arena_bytes for point in POINTS]
    assert record["points"][0]["stripes"] == []
    assert record["points"][-1]["stripes"][0]["first"] == 0
