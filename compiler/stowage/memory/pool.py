# SPDX-License-Identifier: Apache-2.0
"""Schedules to a PoolPlan: several models, and buffers of their caller's, planned into one arena."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from stowage.memory.caller_buffer import CallerBuffer
from stowage.memory.lives import VALUE_ALIGNMENT_BYTES, lives
from stowage.memory.plan import Placed, Plan
from stowage.memory.pool_layout import Layout, Tenant, lay_out
from stowage.memory.problem import Buffer, Problem
from stowage.memory.share import Foreign, Share
from stowage.schedule.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Pool:
    """Models of which one runs at a time, in one arena with what their caller keeps there.

    Attributes:
        name: C identifier.
        schedules: the models.
        buffers: the caller's.
    """

    name: str
    schedules: tuple[Schedule, ...]
    buffers: tuple[CallerBuffer, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedCallerBuffer:
    """A buffer of the caller's, `offset_bytes` from the start of the arena."""

    buffer: CallerBuffer
    offset_bytes: int


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """Where everything in a pool lies.

    Attributes:
        name: C identifier.
        plans: each model's, whose arena and bound are the pool's.
        buffers: the caller's.
        kept_bytes: how much of the arena, from its start on, stays from run to run.
        arena_bytes: size of the arena.
        alignment_bytes: alignment of its first byte.
        bound_bytes: no plan of this pool takes less than this.
    """

    name: str
    plans: tuple[Plan, ...]
    buffers: tuple[PlacedCallerBuffer, ...]
    kept_bytes: int
    arena_bytes: int
    alignment_bytes: int
    bound_bytes: int


def plan_pool(pool: Pool, region: str) -> PoolPlan:
    """A plan with the whole arena in a region.

    Args:
        pool: the models and buffers.
        region: the region's name.
    """
    problems = [lives(schedule) for schedule in pool.schedules]
    tenants = tuple(_tenant(*pair) for pair in zip(pool.schedules, problems, strict=True))
    alignments = (buffer.alignment_bytes for problem in problems for buffer in problem.buffers)
    alignment = max(VALUE_ALIGNMENT_BYTES, *alignments)
    kept, between = (
        [_buffer(each, alignment) for each in pool.buffers if each.is_kept is kind] for kind in (True, False)
    )
    layout = lay_out(tenants, kept, between, alignment)
    buffers = tuple(_placed_buffers(pool, layout))
    plans = tuple(_plans(pool, tenants, layout, buffers, region))
    return PoolPlan(pool.name, plans, buffers, layout.floor_bytes, layout.peak_bytes, alignment, layout.bound_bytes)


def _tenant(schedule: Schedule, problem: Problem) -> Tenant:
    held = {state.held.name for state in schedule.states}
    kept = tuple(buffer for buffer in problem.buffers if buffer.name in held)
    passing = tuple(buffer for buffer in problem.buffers if buffer.name not in held)
    return Tenant(kept, replace(problem, buffers=passing), len(schedule.steps) + 1)


def _buffer(buffer: CallerBuffer, alignment_bytes: int) -> Buffer:
    return Buffer(buffer.name, buffer.size_bytes, alignment_bytes, 0, 0)


def _placed_buffers(pool: Pool, layout: Layout) -> Iterator[PlacedCallerBuffer]:
    places = {True: iter(layout.caller), False: iter(layout.between)}
    for buffer in pool.buffers:
        yield PlacedCallerBuffer(buffer, next(places[buffer.is_kept]))


def _plans(
    pool: Pool, tenants: tuple[Tenant, ...], layout: Layout, buffers: tuple[PlacedCallerBuffer, ...], region: str
) -> Iterator[Plan]:
    """The plan of each model, which knows the states of all others and the caller's buffers."""
    names = [schedule.name for schedule in pool.schedules]
    states = [tuple(_states(*each)) for each in zip(names, tenants, layout.kept, strict=True)]
    caller = [Foreign(b.buffer.title, b.offset_bytes, b.buffer.size_bytes, b.buffer.is_kept) for b in buffers]
    for number, (schedule, tenant) in enumerate(zip(pool.schedules, tenants, strict=True)):
        placed = [*zip(tenant.kept, layout.kept[number], strict=True)]
        placed += zip(tenant.passing.buffers, layout.passing[number], strict=True)
        foreign = [*chain.from_iterable(states[:number] + states[number + 1 :]), *caller]
        yield Plan(
            schedule=schedule,
            placed=tuple(Placed(buffer, region, offset_bytes) for buffer, offset_bytes in placed),
            arena_bytes=layout.peak_bytes,
            alignment_bytes=layout.grain_bytes,
            bound_bytes=layout.bound_bytes,
            share=Share(pool.name, tuple(foreign)),
        )


def _states(model: str, tenant: Tenant, places: tuple[int, ...]) -> Iterator[Foreign]:
    for buffer, offset in zip(tenant.kept, places, strict=True):
        yield Foreign(f'state "{buffer.name}" of {model}', offset, buffer.size_bytes, is_kept=True)
