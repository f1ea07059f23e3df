# SPDX-License-Identifier: Apache-2.0
"""Test support: small placement problems, and the lowest peak of them, found by trying everything."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from hypothesis import strategies as st

from stowage.memory.faults import faults
from stowage.memory.problem import Buffer, InPlace, Problem


@st.composite
def problems(draw: st.DrawFn, buffers: int, size_bytes: int, moments: int = 4) -> Problem:
    """Problems with every kind of pair: several inputs of an output, several outputs of an input, both directions.

    Some have to lie apart. Some buffers have a given place; those that contradict others are left out.
    """
    ends = st.integers(0, moments)
    made = []
    for index in range(draw(st.integers(1, buffers))):
        first, last = sorted((draw(ends), draw(ends)))
        size, alignment = draw(st.integers(1, size_bytes)), draw(st.sampled_from([1, 2, 2, 4]))
        made.append(Buffer(f"b{index}", size, alignment, first, last))
    pairs = [(a, b) for a in made for b in made if a is not b and a.first == b.last]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=4)) if pairs else []
    distances = st.sampled_from([0, 0, 1, 3, -2])
    in_place = tuple(InPlace(a.name, b.name, draw(distances), draw(st.booleans())) for a, b in chosen)
    problem = Problem(tuple(made), in_place, _apart(draw, made))
    for index in draw(st.lists(st.integers(0, len(made) - 1), max_size=2, unique=True)):
        buffer = problem.buffers[index]
        places = st.integers(0, 2 * size_bytes // buffer.alignment_bytes)
        problem = _with_fixed(problem, index, draw(places) * buffer.alignment_bytes)
    return problem


def _apart(draw: st.DrawFn, made: list[Buffer]) -> tuple[tuple[str, str], ...]:
    pairs = [(a.name, b.name) for a, b in combinations(made, 2)]
    return tuple(draw(st.lists(st.sampled_from(pairs), max_size=3, unique=True))) if pairs else ()


def _with_fixed(problem: Problem, index: int, offset: int) -> Problem:
    """The problem with one given place more, or as it was where none could keep that."""
    buffers = list(problem.buffers)
    buffers[index] = replace(buffers[index], fixed_bytes=offset)
    changed = replace(problem, buffers=tuple(buffers))
    fixed = tuple(buffer for buffer in buffers if buffer.fixed_bytes is not None)
    return problem if any(faults(changed.of(fixed), [each.fixed_bytes or 0 for each in fixed])) else changed


def lowest_peak_bytes(problem: Problem) -> int:
    """The least peak of all placements, found by trying all."""
    limit = max(buffer.size_bytes for buffer in problem.buffers)
    while not _fits(problem, (), limit):
        limit += 1
    return limit


def _fits(problem: Problem, offsets_bytes: tuple[int, ...], limit: int) -> bool:
    placed = problem.buffers[: len(offsets_bytes)]
    if any(faults(problem.of(placed), offsets_bytes)):
        return False
    if len(placed) == len(problem.buffers):
        return True
    buffer = problem.buffers[len(placed)]
    places = range(0, limit - buffer.size_bytes + 1, buffer.alignment_bytes)
    return any(_fits(problem, (*offsets_bytes, place), limit) for place in places)
