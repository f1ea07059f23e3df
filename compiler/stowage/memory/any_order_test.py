# SPDX-License-Identifier: Apache-2.0
"""Rows in another order, and with other names, are placed alike."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.memory.any_order import place_in_any_order
from stowage.memory.arbitrary_problems import lowest_peak_bytes, problems
from stowage.memory.cut_problems import cut_problem
from stowage.memory.faults import faults
from stowage.memory.problem import Buffer, Problem

_WORK_LIMIT = 50_000


def renamed(problem: Problem, order: Sequence[int]) -> Problem:
    """The same buffers and pairs, in another order and under other names."""
    names = {problem.buffers[index].name: f"row {place}" for place, index in enumerate(order)}
    return Problem(
        tuple(replace(problem.buffers[index], name=names[problem.buffers[index].name]) for index in order),
        tuple(replace(pair, output=names[pair.output], input=names[pair.input]) for pair in problem.in_place),
        tuple((names[one], names[other]) for one, other in problem.apart),
    )


def lying(buffers: Sequence[Buffer], offsets_bytes: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """Where everything lies, whatever it is called."""
    placed = zip(buffers, offsets_bytes, strict=True)
    return sorted((buffer.first, buffer.last, buffer.size_bytes, offset) for buffer, offset in placed)


@settings(deadline=None, max_examples=150)
@given(problems(buffers=5, size_bytes=6), st.randoms(use_true_random=False))
def test_small_problems_have_their_optimum_in_any_order(problem: Problem, order: random.Random) -> None:
    other = renamed(problem, order.sample(range(len(problem.buffers)), len(problem.buffers)))
    for each in (problem, other):
        placement = place_in_any_order(each, None, _WORK_LIMIT)
        assert not list(faults(each, placement.offsets_bytes))
        if all(pair.distance_bytes >= 0 for pair in problem.in_place):
            assert placement.peak_bytes == lowest_peak_bytes(problem)


@pytest.mark.parametrize("seed", range(3))
def test_dense_problems_are_placed_alike_byte_for_byte(seed: int) -> None:
    problem = cut_problem(seed, buffers=60, capacity_bytes=1 << 20, moments=400)
    shuffled = renamed(problem, random.Random(seed).sample(range(60), 60))
    one, other = (place_in_any_order(each, 1 << 20, _WORK_LIMIT) for each in (problem, shuffled))
    assert (one.peak_bytes, one.bound_bytes, one.work) == (other.peak_bytes, other.bound_bytes, other.work)
    assert lying(problem.buffers, one.offsets_bytes) == lying(shuffled.buffers, other.offsets_bytes)
