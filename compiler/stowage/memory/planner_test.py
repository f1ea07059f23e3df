# SPDX-License-Identifier: Apache-2.0
"""Placements are legal and as low as can be, and the bound is never above the optimum: all seen by trying all."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings

from stowage.errors import InvalidPlan
from stowage.memory.arbitrary_problems import lowest_peak_bytes, problems
from stowage.memory.bound import lower_bound_bytes
from stowage.memory.conflicts import conflicts_of
from stowage.memory.cut_problems import cut_problem
from stowage.memory.exact import Fit, GaveUp
from stowage.memory.faults import faults
from stowage.memory.planner import place
from stowage.memory.problem import Buffer, InPlace, Problem
from stowage.memory.sweep import Sweep


@settings(deadline=None, max_examples=300)
@given(problems(buffers=5, size_bytes=6))
def test_placements_are_legal_and_as_low_as_any(problem: Problem) -> None:
    placement = place(problem)
    best = lowest_peak_bytes(problem)
    assert not list(faults(problem, placement.offsets_bytes))
    assert placement.peak_bytes == max(
        offset + buffer.size_bytes for offset, buffer in zip(placement.offsets_bytes, problem.buffers, strict=True)
    )
    assert lower_bound_bytes(conflicts_of(problem)) <= placement.bound_bytes <= best
    if all(pair.distance_bytes >= 0 for pair in problem.in_place):
        assert placement.peak_bytes == best
    else:
        assert placement.peak_bytes >= best


@settings(deadline=None, max_examples=150)
@given(problems(buffers=5, size_bytes=6))
def test_a_capacity_is_met_or_proved_too_small(problem: Problem) -> None:
    best = lowest_peak_bytes(problem)
    too_small = place(problem, capacity_bytes=best - 1)
    assert best <= too_small.peak_bytes and too_small.bound_bytes <= best
    if not problem.in_place:
        assert place(problem, capacity_bytes=best).peak_bytes == too_small.bound_bytes == best


@settings(deadline=None, max_examples=200)
@given(problems(buffers=5, size_bytes=4, moments=5))
def test_every_search_tells_what_fits_from_what_does_not(problem: Problem) -> None:
    best, conflicts = lowest_peak_bytes(problem), conflicts_of(problem)
    with Fit(conflicts) as fit:
        for limit in range(max(best - 1, lower_bound_bytes(conflicts)), best + 1):
            in_time = Sweep(conflicts).within(limit, 10_000)
            assert in_time is None or (limit == best and not list(faults(problem, in_time)))
            try:
                found = fit.within(limit, 100_000)
                assert (found is not None) is (limit == best)
                assert found is None or not list(faults(problem, found))
            except GaveUp:
                negative = any(each < 0 for rivals in conflicts.clearance_bytes for each in rivals.values())
                assert negative or len(problem.in_place) > 1


@settings(deadline=None, max_examples=100)
@given(problems(buffers=24, size_bytes=1000, moments=12))
def test_larger_placements_are_legal(problem: Problem) -> None:
    for work_limit in (0, 300):
        placement = place(problem, work_limit=work_limit)
        assert not list(faults(problem, placement.offsets_bytes))
        assert placement.bound_bytes <= placement.peak_bytes


def test_placements_are_the_same_every_time() -> None:
    assert place(TIGHT) == place(TIGHT)


def buffers(*lives: tuple[int, int, int]) -> tuple[Buffer, ...]:
    """Buffers a, b, … from size, first and last moment."""
    return tuple(Buffer(chr(ord("a") + index), size, 1, first, last) for index, (size, first, last) in enumerate(lives))


TIGHT = Problem(buffers((33, 1, 3), (15, 3, 3), (38, 2, 3), (4, 1, 8), (17, 0, 1), (25, 0, 1), (25, 1, 2), (24, 3, 6)))


def test_the_search_finds_what_no_greedy_order_does() -> None:
    assert place(TIGHT, work_limit=0).peak_bytes == 115
    assert place(TIGHT).peak_bytes == place(TIGHT).bound_bytes == 114


def test_with_a_capacity_no_better_placement_is_looked_for() -> None:
    assert (place(TIGHT, capacity_bytes=115).peak_bytes, place(TIGHT, capacity_bytes=115).work) == (115, 0)
    assert place(TIGHT, capacity_bytes=114).peak_bytes == 114


@pytest.mark.parametrize("seed", [1, 3, 4, 5])
def test_a_rectangle_that_was_cut_up_is_put_together_again(seed: int) -> None:
    problem = cut_problem(seed, buffers=100, capacity_bytes=1 << 20, moments=400, left_out=10)
    assert place(problem, work_limit=0).peak_bytes > 1 << 20
    placement = place(problem, capacity_bytes=1 << 20)
    assert placement.peak_bytes <= 1 << 20
    assert not list(faults(problem, placement.offsets_bytes))


def test_buffers_that_live_alone_are_in_nobody_s_way() -> None:
    hard = cut_problem(1, buffers=100, capacity_bytes=1 << 20, moments=400, left_out=10).buffers
    alone = tuple(Buffer(f"alone{n}", 7, 1, 400 + n, 400 + n) for n in range(8))
    problem = Problem((*hard, *alone, Buffer("a", 5, 1, 500, 500), Buffer("b", 6, 1, 500, 500)))
    placement = place(problem, capacity_bytes=1 << 20)
    assert placement.peak_bytes <= 1 << 20 and placement.work > 0
    assert not list(faults(problem, placement.offsets_bytes))


def test_a_long_search_is_watched() -> None:
    heard: list[int] = []
    problem = cut_problem(1, buffers=100, capacity_bytes=1 << 20, moments=400, left_out=10)
    place(problem, capacity_bytes=1 << 20, work_limit=1_000, watch=heard.append)
    assert heard == [200, 410, 630, 861, 1_000]


def bound(problem: Problem) -> int:
    return lower_bound_bytes(conflicts_of(problem))


def test_bound_of_an_output_over_two_inputs() -> None:
    inputs_and_output = buffers((16, 0, 1), (16, 0, 1), (32, 1, 2))
    both = Problem(inputs_and_output, (InPlace("c", "a", 0), InPlace("c", "b", 0)))
    assert bound(both) == place(both).peak_bytes == 32


def test_bound_of_two_outputs_over_one_input() -> None:
    problem = Problem(buffers((32, 0, 1), (16, 1, 2), (16, 1, 2)), (InPlace("b", "a", 0), InPlace("c", "a", -16)))
    assert bound(problem) == place(problem).peak_bytes == 32


def test_bound_of_a_chain_at_one_moment() -> None:
    problem = Problem(buffers((16, 0, 1), (16, 1, 1), (16, 1, 2)), (InPlace("b", "a", 0), InPlace("c", "b", 0)))
    assert bound(problem) <= place(problem).peak_bytes == 32


def test_bound_counts_what_alignment_costs() -> None:
    problem = Problem(tuple(Buffer(name, 9, 8, 0, 0) for name in "abc"))
    assert bound(problem) == place(problem).peak_bytes == 16 + 16 + 9


def test_a_safe_distance_is_kept_and_no_more() -> None:
    made = buffers((20, 0, 1), (20, 1, 2))
    for forward in (True, False):
        placement = place(Problem(made, (InPlace("b", "a", 4, forward),)))
        assert placement.peak_bytes == placement.bound_bytes == 24


def test_a_given_place_is_kept_and_the_others_go_around_it() -> None:
    made = (*buffers((12, 0, 1), (16, 1, 1)), Buffer("given", 8, 8, 0, 1, fixed_bytes=16))
    placement = place(Problem(made))
    assert placement.offsets_bytes == (24, 0, 16)


CONTRADICTIONS = [
    ((Buffer("a", 8, 8, 0, 1, 12),), 'buffer "a": its fixed offset 12 is neither 0 nor a positive multiple of its al'),
    ((Buffer("a", 8, 4, 0, 1, -4),), 'buffer "a": its fixed offset -4 is neither 0 nor a positive multiple of its al'),
    (
        (Buffer("a", 8, 1, 0, 1, 0), Buffer("b", 8, 1, 1, 2, 7)),
        'buffers "a" and "b": both live at moment 1, but their fixed offsets 0 and 7 let their 8 B and 8 B overlap; '
        "move one of them, or leave its place to the planner.",
    ),
]


@pytest.mark.parametrize(("made", "message"), CONTRADICTIONS)
def test_given_places_that_contradict_each_other_are_refused(made: tuple[Buffer, ...], message: str) -> None:
    with pytest.raises(InvalidPlan) as refusal:
        place(Problem(made))
    assert str(refusal.value).startswith(message)


def test_what_has_to_lie_apart_shares_no_byte_with_what_it_never_meets() -> None:
    made = buffers((8, 0, 1), (8, 3, 4), (8, 6, 7))
    assert place(Problem(made)).peak_bytes == 8
    assert place(Problem(made, apart=(("a", "c"),))).peak_bytes == 16
    placement = place(Problem(made, apart=(("a", "c"), ("a", "b"), ("c", "b"))))
    assert placement.peak_bytes == placement.bound_bytes == 24


def test_what_has_to_lie_apart_is_not_made_in_place() -> None:
    made = buffers((8, 0, 1), (8, 1, 2))
    in_place = (InPlace("b", "a", 0),)
    assert place(Problem(made, in_place)).peak_bytes == 8
    assert place(Problem(made, in_place, (("b", "a"),))).peak_bytes == 16


def test_given_places_of_what_has_to_lie_apart_must_not_share_bytes() -> None:
    made = (Buffer("a", 8, 1, 0, 1, 0), Buffer("b", 8, 1, 4, 5, 7))
    assert place(Problem(made)).offsets_bytes == (0, 7)
    with pytest.raises(InvalidPlan, match="they have to lie apart, but their fixed offsets 0 and 7"):
        place(Problem(made, apart=(("a", "b"),)))


def test_given_places_may_overlap_as_far_as_a_kernel_allows() -> None:
    made = (Buffer("a", 8, 1, 0, 1, 4), Buffer("b", 8, 1, 1, 2, 0))
    assert place(Problem(made, (InPlace("b", "a", 4),))).offsets_bytes == (4, 0)
    with pytest.raises(InvalidPlan):
        place(Problem(made, (InPlace("b", "a", 5),)))


def residual_network(blocks: int) -> Problem:
    """Inverted residuals: expand, filter with scratch, project, add; the sum is made over one of its operands."""
    made, pairs, moment = [Buffer("x0", 1536, 8, 0, 1)], [], 0
    for block in range(blocks):
        size, wide = 1536 - 16 * block, 6 * (1536 - 16 * block)
        made[-1] = Buffer(made[-1].name, made[-1].size_bytes, 8, made[-1].first, moment + 4)
        made += [
            Buffer(f"expanded{block}", wide, 8, moment + 1, moment + 2),
            Buffer(f"filtered{block}", wide, 8, moment + 2, moment + 3),
            Buffer(f"scratch{block}", 300, 8, moment + 2, moment + 2),
            Buffer(f"projected{block}", size, 8, moment + 3, moment + 4),
            Buffer(f"x{block + 1}", size, 8, moment + 4, moment + 5),
        ]
        pairs += [
            InPlace(f"filtered{block}", f"expanded{block}", 640),
            InPlace(f"x{block + 1}", f"projected{block}", 0),
        ]
        moment += 4
    return Problem(tuple(made), tuple(pairs))


def test_a_network_is_placed_optimally_at_once() -> None:
    problem = residual_network(40)
    start = time.process_time()
    placement = place(problem)
    assert time.process_time() - start < 3  # an idle machine takes a tenth of it
    assert placement.peak_bytes == placement.bound_bytes
    assert not list(faults(problem, placement.offsets_bytes))


def test_no_buffers_take_nothing() -> None:
    assert place(Problem(())).peak_bytes == 0
