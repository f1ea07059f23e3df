# SPDX-License-Identifier: Apache-2.0
"""What each technique saves of the arena: the model planned again and again, each time with one technique more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from stowage.memory.conflicts import conflicts_of
from stowage.memory.greedy import peak_bytes, placed_in_order
from stowage.memory.lives import lives
from stowage.memory.problem import Problem
from stowage.pipeline import Compiled, selected_steps
from stowage.schedule.schedule import Schedule
from stowage.schedule.states import keep_states


@dataclass(frozen=True, slots=True)
class Stage:
    """The arena with a technique and all before it.

    Attributes:
        technique: what came in.
        arena_bytes: what the arena then takes.
        saved_bytes: how much less that is than before; below zero where the technique alone costs something.
    """

    technique: str
    arena_bytes: int
    saved_bytes: int


def waterfall(compiled: Compiled) -> tuple[Stage, ...]:
    """The stages, from a place of its own for every tensor and scratch buffer down to the plan."""
    stages: list[Stage] = []
    for technique, arena_bytes in _arenas(compiled):
        before = stages[-1].arena_bytes if stages else arena_bytes
        stages.append(Stage(technique, arena_bytes, before - arena_bytes))
    return tuple(stages)


def _arenas(compiled: Compiled) -> Iterator[tuple[str, int]]:
    yield "every tensor for itself", _sum_bytes(_plain(compiled))
    yield "fused and dead left out", _sum_bytes(compiled.as_given)
    yield "bytes used again", _first_fit_bytes(_apart(compiled.as_given))
    yield "order of steps", _first_fit_bytes(_apart(compiled.ordered))
    yield "outputs over inputs", _first_fit_bytes(lives(compiled.ordered))
    if compiled.tiling:
        yield "stripes of rows", _first_fit_bytes(lives(compiled.striped))
    yield "made in place", _first_fit_bytes(lives(replace(compiled.schedule, transfers=())))
    if compiled.schedule.transfers:
        yield "weights ahead of steps", _first_fit_bytes(lives(compiled.schedule))
    yield _last_technique(compiled), compiled.plan.arena_bytes


def _last_technique(compiled: Compiled) -> str:
    if compiled.plan.further is not None:
        return "part in further arenas"
    return "in the pool's arena" if compiled.plan.share else "search for offsets"


def _plain(compiled: Compiled) -> Schedule:
    """The steps that there would be without the passes that take tensors out."""
    if compiled.plain == compiled.graph:
        return compiled.as_given
    return keep_states(selected_steps(compiled.plain, compiled.target), dict(compiled.plain.states))


def _sum_bytes(schedule: Schedule) -> int:
    return sum(buffer.size_bytes for buffer in lives(schedule).buffers)


def _apart(schedule: Schedule) -> Problem:
    """The problem where nothing may lie over anything that lives."""
    return replace(lives(schedule), in_place=())


def _first_fit_bytes(problem: Problem) -> int:
    """The arena where each buffer, in the order of birth, takes the lowest place that is free."""
    conflicts = conflicts_of(problem)
    births = sorted(range(len(problem.buffers)), key=lambda index: problem.buffers[index].first)
    return peak_bytes(conflicts, placed_in_order(conflicts, births))
