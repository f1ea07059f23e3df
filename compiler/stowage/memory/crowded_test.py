# SPDX-License-Identifier: Apache-2.0
"""The buffers of one moment, placed alone, prove more than their sizes do."""

from __future__ import annotations

from hypothesis import given, settings

from stowage.memory.arbitrary_problems import lowest_peak_bytes, problems
from stowage.memory.bound import lower_bound_bytes
from stowage.memory.conflicts import conflicts_of
from stowage.memory.crowded import crowded_bound_bytes
from stowage.memory.exact import Fit
from stowage.memory.planner import place
from stowage.memory.problem import Buffer, InPlace, Problem


def chained(distance_bytes: int) -> Problem:
    """A sum that may lie over either operand, or both, but has to start some bytes below each."""
    buffers = (Buffer("x", 100, 1, 0, 1), Buffer("y", 100, 1, 0, 1), Buffer("sum", 200, 1, 1, 2))
    return Problem(buffers, tuple(InPlace("sum", name, distance_bytes) for name in ("x", "y")))


def test_two_operands_cannot_both_lie_where_each_could() -> None:
    problem = chained(60)
    conflicts = conflicts_of(problem)
    assert lower_bound_bytes(conflicts) == 200
    assert crowded_bound_bytes(problem, conflicts, 200, 100)[0] == 60 + 100 + 100
    placement = place(problem)
    assert placement.peak_bytes == placement.bound_bytes == 260


def test_without_work_the_bound_is_what_it_was() -> None:
    problem = chained(60)
    assert crowded_bound_bytes(problem, conflicts_of(problem), 200, 0)[0] == 200


@settings(deadline=None, max_examples=100)
@given(problems(buffers=4, size_bytes=6))
def test_no_moment_proves_more_than_can_be_met(problem: Problem) -> None:
    conflicts = conflicts_of(problem)
    bound = lower_bound_bytes(conflicts)
    raised, _ = crowded_bound_bytes(problem, conflicts, bound, 500)
    assert bound <= raised <= lowest_peak_bytes(problem)


def test_what_starts_less_than_a_grain_below_starts_no_lower() -> None:
    buffers = (Buffer("bytes", 13, 8, 0, 1), Buffer("floats", 16, 8, 1, 2))
    conflicts = conflicts_of(Problem(buffers, (InPlace("floats", "bytes", 0, forward=False),)))
    assert conflicts.clearance_bytes[0][1] == -3
    with Fit(conflicts) as fit:
        assert fit.within(16, 100) == (0, 0)
        assert fit.within(15, 100) is None
