# SPDX-License-Identifier: Apache-2.0
"""Runs in time, counted by hand."""

from __future__ import annotations

from stowage.codegen.golden_model import golden_graph
from stowage.schedule.schedule import Transfer
from stowage.schedule.select import select
from stowage.target.board import Master, RegionKind
from stowage.target.target import TargetRegion
from stowage.transfers.cost_model import Candidate, candidates, work
from stowage.transfers.timeline import CostedSteps, Regions

REACHED = frozenset({Master.CPU, Master.DMA})
SLOW = TargetRegion("slow", 1 << 20, RegionKind.DRAM, 1, 4, 9, REACHED)
FAST = TargetRegion("fast", 1 << 12, RegionKind.SRAM, 1, 2, 1, REACHED)
# Step 2 reads 10 bytes five times, step 3 reads 20 bytes once. To copy them takes 10 * (4 + 1), and 100.
STEPS = CostedSteps([100, 30, 40], {(2, 0): 50, (3, 1): 20}, {(2, 0): 10, (3, 1): 20}, Regions(SLOW, FAST))


def test_without_transfers_weights_are_read_where_they_lie() -> None:
    assert STEPS.run(()).steps == ((0, 100), (100, 100 + 30 + 50 * 4), (330, 330 + 40 + 20 * 4))


def test_a_copy_that_is_done_in_time_costs_nothing() -> None:
    run = STEPS.run([Transfer("a", 1, 2, 0)])
    (flight,) = run.flights
    assert (flight.started, flight.moved_from, flight.moved_to, flight.stall) == (0, 0, 50, 0)
    assert (flight.cost, flight.hidden) == (50, 50)
    assert run.steps[:2] == ((0, 100), (100, 100 + 30 + 50 * 2))


def test_a_copy_that_starts_with_its_step_keeps_it_waiting() -> None:
    run = STEPS.run([Transfer("a", 2, 2, 0)])
    assert (run.flights[0].stall, run.flights[0].hidden) == (50, 0)
    assert run.steps[1] == (150, 150 + 130)


def test_copies_move_one_after_the_other() -> None:
    run = STEPS.run([Transfer("a", 1, 2, 0), Transfer("b", 1, 3, 1)])
    assert [(each.moved_from, each.moved_to) for each in run.flights] == [(0, 50), (50, 150)]
    assert [each.stall for each in run.flights] == [0, 0]
    late = STEPS.run([Transfer("b", 1, 3, 1), Transfer("a", 1, 2, 0)])
    assert [(each.moved_from, each.moved_to, each.stall) for each in late.flights] == [(0, 100, 0), (100, 150, 50)]


def test_weights_are_read_once_for_each_product() -> None:
    schedule = select(golden_graph(), frozenset())
    assert list(candidates(schedule)) == [Candidate(1, 0, 36, 32 * 18)]
    assert [work(step) for step in schedule.steps] == [32 * 18, 32, 32]
