# SPDX-License-Identifier: Apache-2.0
"""A limit is kept with no more stripes than it takes, or refused with the least that was reached."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from stowage.errors import DoesNotFit
from stowage.ir.graph import Graph
from stowage.memory.planning import lowest_plan
from stowage.schedule.order import in_best_order
from stowage.schedule.schedule import Schedule
from stowage.schedule.select import select
from stowage.tiles.arbitrary_chains import bulging_network, residual_network
from stowage.tiles.cuts import CutPoint, cut_points, spans
from stowage.tiles.estimate import estimated
from stowage.tiles.stripes import worked
from stowage.tiles.tiling import Segment
from stowage.tiles.within_limit import Tiled, tiled, within_limit

NO_FEATURES = frozenset[str]()


def plain(graph: Graph) -> Schedule:
    return in_best_order(select(graph, NO_FEATURES))


def limited(limit_bytes: int) -> Tiled:
    graph = residual_network()
    return within_limit(graph, plain(graph), NO_FEATURES, limit_bytes)


def test_what_fits_runs_as_it_is() -> None:
    schedule = plain(residual_network())
    result = limited(lowest_plan(schedule, "ram").arena_bytes)
    assert result.tiling == () and result.schedule == schedule


def test_what_does_not_fit_runs_in_stripes() -> None:
    arena_bytes = lowest_plan(plain(residual_network()), "ram").arena_bytes
    result = limited(arena_bytes - 1)
    assert result.tiling and result.arena_bytes < arena_bytes
    assert lowest_plan(result.schedule, "ram").arena_bytes == result.arena_bytes


def test_the_more_room_the_fewer_steps() -> None:
    arena_bytes = lowest_plan(plain(residual_network()), "ram").arena_bytes
    steps = [len(limited(int(share * arena_bytes)).schedule.steps) for share in (0.9, 0.95, 1)]
    assert steps == sorted(steps, reverse=True) and steps[0] > steps[-1]


def test_the_least_that_can_be_reached_is_told() -> None:
    with pytest.raises(DoesNotFit) as refusal:
        limited(500)
    told = re.search(r"the least is ([\d,]+) B, with .* in stripes;", str(refusal.value))
    assert told
    least_bytes = int(told[1].replace(",", ""))
    assert limited(least_bytes).arena_bytes == least_bytes


def test_an_output_may_lie_over_rows_that_have_been_read() -> None:
    """Input and output take more together than the arena as it is, and are never whole at once."""
    graph = bulging_network()
    ends_bytes = graph.inputs[0].type.size_bytes + graph.outputs[0].type.size_bytes
    arena_bytes = lowest_plan(plain(graph), "ram").arena_bytes
    assert arena_bytes < ends_bytes
    result = within_limit(graph, plain(graph), NO_FEATURES, arena_bytes * 9 // 10)
    assert result.tiling and result.arena_bytes <= arena_bytes * 9 // 10


def test_a_graph_is_cut_where_one_value_is_alive() -> None:
    graph = residual_network()
    assert [point.index for point in cut_points(graph)] == [0, 3, 6, 7]
    assert {(begin.index, end.index) for begin, end in spans(graph)} == {(0, 3), (0, 6), (0, 7), (3, 6), (3, 7)}


def test_values_that_stay_between_runs_are_no_cuts() -> None:
    graph = replace(residual_network(), states=(("input_1", "result_0"),))
    assert {(begin.index, end.index) for begin, end in spans(graph)} == {(3, 6)}


@pytest.mark.parametrize(("stripe_rows", "piece_rows"), [(1, 1), (2, 1), (4, 4)])
def test_estimates_are_near_to_plans(stripe_rows: int, piece_rows: int) -> None:
    graph = residual_network()
    segment = Segment(0, 7, stripe_rows, piece_rows)
    estimate = estimated(worked(graph), segment, CutPoint(0, graph.inputs[0]))
    result = tiled(graph, (segment,), NO_FEATURES)
    assert estimate.steps == len(result.schedule.steps)
    scratch_bytes = max(sum(step.call.scratch_bytes) for step in result.schedule.steps)  # which estimates leave out
    assert estimate.peak_bytes == pytest.approx(result.arena_bytes - scratch_bytes, rel=0.1)
