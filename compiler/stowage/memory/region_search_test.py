# SPDX-License-Identifier: Apache-2.0
"""Assignments to regions are legal and as cheap as any, the bound is never above the optimum: seen by trying all."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.errors import DoesNotFit
from stowage.memory.arbitrary_problems import lowest_peak_bytes, problems
from stowage.memory.cut_problems import cut_problem
from stowage.memory.problem import Buffer, InPlace, Problem
from stowage.memory.region_faults import region_faults
from stowage.memory.region_search import assign
from stowage.memory.regions import MemoryRegion, RegionProblem, Traffic


@st.composite
def region_problems(draw: st.DrawFn, buffers: int, size_bytes: int) -> RegionProblem:
    """Problems whose buffers may lie in some of up to three regions, most of which don't hold everything.

    Given places are in the first region, which aligns nothing.
    """
    problem = draw(problems(buffers, size_bytes))
    count = draw(st.integers(1, 3))
    regions = tuple(
        MemoryRegion(
            f"r{number}",
            draw(st.integers(1, 2 * size_bytes)),
            draw(st.sampled_from([1, 2])) if number else 1,
            draw(st.integers(1, 4)),
            draw(st.integers(1, 4)),
        )
        for number in range(count)
    )
    touched = st.integers(0, 9)
    traffic = tuple(Traffic(draw(touched), draw(touched)) for _ in problem.buffers)
    numbers = st.sets(st.integers(0, count - 1), min_size=1)
    fixed = (buffer.fixed_bytes is not None for buffer in problem.buffers)
    allowed = tuple(frozenset({0}) if given_ else frozenset(draw(numbers)) for given_ in fixed)
    return RegionProblem(problem, regions, traffic, allowed)


def least_cost(problem: RegionProblem) -> int | None:
    """What the cheapest of all assignments costs, or None where there is none."""
    best: int | None = None
    for regions in itertools.product(*(sorted(each) for each in problem.allowed)):
        cost = sum(traffic.cost_in(problem.regions[its]) for traffic, its in zip(problem.traffic, regions, strict=True))
        if (best is None or cost < best) and all(fits(problem, regions, each) for each in set(regions)):
            best = cost
    return best


def fits(problem: RegionProblem, regions: tuple[int, ...], region: int) -> bool:
    members = [index for index, its in enumerate(regions) if its == region]
    return lowest_peak_bytes(problem.within(region, members)) <= problem.regions[region].capacity_bytes


@settings(deadline=None, max_examples=200)
@given(region_problems(buffers=5, size_bytes=6))
def test_assignments_are_legal_and_as_cheap_as_any(problem: RegionProblem) -> None:
    best = least_cost(problem)
    exact = all(pair.distance_bytes >= 0 and pair.forward for pair in problem.problem.in_place)
    try:
        found = assign(problem)
    except DoesNotFit as refusal:
        assert best is None or not exact
        assert best is None or "not proved" in refusal.reason
        return
    assert best is not None and found.bound <= best <= found.cost
    assert not list(region_faults(problem, found.regions, found.offsets_bytes))
    assert not exact or found.cost == best == found.bound


def in_two(problem: Problem, fast_bytes: int, reads: int = 1) -> RegionProblem:
    """Every buffer in either of a small fast region and a large slow one, read so many times."""
    regions = (MemoryRegion("fast", fast_bytes), MemoryRegion("slow", 1 << 20, 1, 4, 4))
    traffic = tuple(Traffic(reads * buffer.size_bytes, buffer.size_bytes) for buffer in problem.buffers)
    return RegionProblem(problem, regions, traffic, tuple(frozenset({0, 1}) for _ in traffic))


def test_what_is_touched_most_lies_in_the_fast_region() -> None:
    buffers = (Buffer("a", 64, 8, 0, 2), Buffer("b", 64, 8, 0, 2), Buffer("c", 64, 8, 1, 3))
    problem = in_two(Problem(buffers), 64)
    assert assign(problem).cost == 9 * 2 * 64
    touched = (Traffic(64, 64), Traffic(64, 640), Traffic(64, 64))
    assert assign(RegionProblem(problem.problem, problem.regions, touched, problem.allowed)).regions == (1, 0, 1)


def test_what_is_made_in_place_needs_no_room_for_itself() -> None:
    made = (Buffer("a", 64, 8, 0, 1), Buffer("b", 64, 8, 1, 2))
    assert set(assign(in_two(Problem(made), 64)).regions) == {0, 1}
    assert assign(in_two(Problem(made, (InPlace("b", "a", 0),)), 64)).regions == (0, 0)
    assert set(assign(in_two(Problem(made, (InPlace("b", "a", 0),), (("a", "b"),)), 64)).regions) == {0, 1}


def test_large_problems_are_answered_with_a_gap() -> None:
    problem = in_two(cut_problem(1, buffers=150, capacity_bytes=1 << 19, moments=400), 1 << 18, reads=9)
    found = assign(problem)
    assert found.bound <= found.cost < 1.1 * found.bound
    assert not list(region_faults(problem, found.regions, found.offsets_bytes))
    assert assign(problem) == found


def test_a_buffer_for_which_there_is_no_room_is_named() -> None:
    with pytest.raises(DoesNotFit, match=r'buffer "a": its 2,097,152 B are more than any region has .*fast, slow'):
        assign(in_two(Problem((Buffer("a", 1 << 21, 8, 0, 1),)), 64))
