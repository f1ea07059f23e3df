# SPDX-License-Identifier: Apache-2.0
"""The order chosen is a valid one and has the lowest peak of all, seen by trying all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.schedule.arbitrary_schedules import Limits, schedules
from stowage.schedule.order import in_best_order
from stowage.schedule.order_families import FAMILIES, darts, layered, randwire, series_parallel, step, tangled, tensor
from stowage.schedule.order_problem import OrderProblem, order_problem
from stowage.schedule.order_search import best_order
from stowage.schedule.schedule import Schedule


def orders(problem: OrderProblem, done: int = 0) -> Iterator[tuple[int, ...]]:
    """Every order of the steps that are not done."""
    if done == (1 << len(problem.tasks)) - 1:
        yield ()
    for index, task in enumerate(problem.tasks):
        if not done >> index & 1 and not task.needs & ~done:
            yield from ((index, *rest) for rest in orders(problem, done | 1 << index))


@settings(deadline=None, max_examples=300)
@given(schedules(Limits(steps=7)))
def test_no_order_has_a_lower_peak(schedule: Schedule) -> None:
    problem = order_problem(schedule)
    best = min(map(problem.peak_bytes, orders(problem)))
    found = best_order(problem)
    assert problem.peak_bytes(found.order) == found.peak_bytes == found.bound_bytes == best


@settings(deadline=None)
@given(schedules(Limits(steps=7)))
def test_without_work_the_order_is_valid_and_no_worse_than_the_one_given(schedule: Schedule) -> None:
    problem = order_problem(schedule)
    found = best_order(problem, work_limit=0)
    assert found.order in set(orders(problem))
    assert problem.peak_bytes(found.order) == found.peak_bytes <= problem.peak_bytes(range(len(problem.tasks)))


@settings(deadline=None, max_examples=300)
@given(schedules(Limits(steps=7)), st.integers(0, 12))
def test_the_bound_is_one_however_little_work_was_done(schedule: Schedule, work_limit: int) -> None:
    problem = order_problem(schedule)
    assert best_order(problem, work_limit).bound_bytes <= min(map(problem.peak_bytes, orders(problem)))


@settings(deadline=None)
@given(schedules(Limits(steps=7)))
def test_steps_and_views_are_the_same_in_an_order_that_is_possible(schedule: Schedule) -> None:
    result = in_best_order(schedule)
    assert sorted(map(repr, result.steps)) == sorted(map(repr, schedule.steps))
    assert sorted(map(repr, result.views)) == sorted(map(repr, schedule.views))
    bases = {view.value.name: view.base.name for view in schedule.views}
    known = {value.name for value in schedule.inputs} | {value.name for value, _ in schedule.constant_values}
    for each in result.steps:
        assert {bases.get(value.name, value.name) for value in each.node.inputs} <= known
        known |= {value.name for value in each.node.outputs}


X = tensor("x", 10)


def test_the_branch_with_the_larger_peak_goes_first() -> None:
    wide, narrow, wider, small = (
        tensor(*each) for each in (("wide", 100), ("narrow", 20), ("wider", 200), ("small", 10))
    )
    y = tensor("y", 10)
    steps = (step(wide, X), step(narrow, wide), step(wider, X), step(small, wider), step(y, small, narrow))
    schedule = Schedule("m", (X,), (y,), steps, (), ())
    result = in_best_order(schedule)
    assert [each.node.output.name for each in result.steps] == ["wider", "small", "wide", "narrow", "y"]
    assert order_problem(schedule).peak_bytes(range(5)) == 20 + 10 + 200
    assert order_problem(result).peak_bytes(range(5)) == 10 + 200 + 10


def test_of_equal_orders_the_given_one_stays() -> None:
    a, b, y = tensor("a", 10), tensor("b", 10), tensor("y", 10)
    for steps in ((step(a, X), step(b, X), step(y, a, b)), (step(b, X), step(a, X), step(y, a, b))):
        schedule = Schedule("m", (X,), (y,), steps, (), ())
        assert in_best_order(schedule) == schedule


def test_writing_over_an_operand_counts() -> None:
    a, b, y = tensor("a", 10), tensor("b", 10), tensor("y", 10)
    steps = (step(a, X), step(b, a, in_place=True), step(y, b, in_place=True))
    assert order_problem(Schedule("m", (X,), (y,), steps, (), ())).peak_bytes(range(3)) == 20


def branches(count: int, length: int) -> Schedule:
    """Branches of growing and shrinking tensors, all summed up at the end."""
    steps, ends = [], []
    for branch in range(count):
        value = X
        for position in range(length):
            value, before = tensor(f"b{branch}_{position}", 10 + (branch * 7 + position * 13) % 40), value
            steps.append(step(value, before))
        ends.append(value)
    total = ends[0]
    for index, end in enumerate(ends[1:]):
        total, before = tensor(f"sum{index}", 50), total
        steps.append(step(total, before, end, in_place=True))
    return Schedule("m", (X,), (total,), tuple(steps), (), ())


def test_many_branches_end_in_time() -> None:
    schedule = branches(12, 4)
    problem = order_problem(schedule)
    start = time.process_time()
    order = best_order(problem)
    assert time.process_time() - start < 30
    assert problem.peak_bytes(order.order) < problem.peak_bytes(range(len(problem.tasks)))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_best_order_of_forty_branching_steps_is_proved(family: str) -> None:
    for seed in range(3):
        schedule = FAMILIES[family](seed)
        result = in_best_order(schedule)
        steps = range(len(schedule.steps))
        assert result.order_gap_bytes == 0
        assert order_problem(result).peak_bytes(steps) <= order_problem(schedule).peak_bytes(steps)


def lowest_peak(problem: OrderProblem) -> int:
    """By dynamic programming over all downsets, without any of the search's ideas."""
    tasks = problem.tasks
    peaks = {0: (problem.ends_bytes, problem.start_bytes)}
    for _ in tasks:
        following: dict[int, tuple[int, int]] = {}
        for done, (peak, live_bytes) in peaks.items():
            for index, task in enumerate(tasks):
                if not done >> index & 1 and not task.needs & ~done:
                    during, left_bytes = task.run(done, index, live_bytes)
                    known = following.get(done | 1 << index, (during + peak, 0))
                    following[done | 1 << index] = min(known, (max(during, peak), left_bytes))
        peaks = following
    return min(peak for peak, _ in peaks.values())


def test_no_order_of_a_network_in_small_has_a_lower_peak() -> None:
    kinds: tuple[Callable[[int], Schedule], ...] = (
        lambda seed: tangled(15, 4 + seed % 12, seed),
        lambda seed: layered(4, 5, seed),
        lambda seed: series_parallel(6, seed),
        lambda seed: darts(1, seed),
        lambda seed: randwire(7, 4, seed),
    )
    for seed in range(12):
        for kind in kinds:
            problem = order_problem(kind(seed))
            found = best_order(problem)
            assert problem.peak_bytes(found.order) == found.peak_bytes == found.bound_bytes == lowest_peak(problem)


def test_where_it_is_too_much_work_the_gap_is_told() -> None:
    problem = order_problem(tangled(60, 60, 1))
    found = best_order(problem, work_limit=500)
    assert problem.ends_bytes <= found.bound_bytes < found.peak_bytes


def test_a_chain_of_thousands_is_left_alone_at_once() -> None:
    schedule = branches(1, 5_000)
    start = time.process_time()
    assert in_best_order(schedule) == schedule
    assert time.process_time() - start < 2


def test_a_graph_of_thousands_ends_in_time() -> None:
    schedule = layered(700, 6, 1)
    start = time.process_time()
    result = in_best_order(schedule)
    assert len(schedule.steps) > 2_000 and time.process_time() - start < 20
    steps = range(len(schedule.steps))
    assert order_problem(result).peak_bytes(steps) < order_problem(schedule).peak_bytes(steps)
