# SPDX-License-Identifier: Apache-2.0
"""Schedule to Plan with two arenas: what is touched most lies in the board's fast memory, as far as that is allowed.

The two are planned as one problem of two regions (`region_search`) with what the kernels read and write (`traffic`), at
the board's costs. What the caller reads and writes, states and what an NPU reaches lie in the main arena. In a plan and
a program the fast arena is told apart by offsets alone: it follows the main one, from a multiple of the alignment on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from stowage.errors import DoesNotFit
from stowage.memory.conflicts import aligned
from stowage.memory.lives import VALUE_ALIGNMENT_BYTES, lives, scratch_name
from stowage.memory.plan import FastArena, Placed, Plan
from stowage.memory.planning import lowest_plan
from stowage.memory.problem import Problem
from stowage.memory.region_search import assign
from stowage.memory.regions import MemoryRegion, RegionProblem, Traffic
from stowage.memory.traffic import traffic_of
from stowage.memory.what_if import WhatIf
from stowage.schedule.schedule import Schedule, Step, storage
from stowage.target.board import Role
from stowage.target.kernels.kernel import Argument, Place
from stowage.target.kernels.npu import NPU_HEADER
from stowage.target.target import Target, TargetRegion

_FAST, _MAIN = 0, 1


def with_fast_arena(schedule: Schedule, target: Target, limit_bytes: int) -> Plan:
    """The cheapest plan that is found whose fast arena takes no more than a limit.

    Where the board's fast region is that of the arena as well, the fast arena has no bytes.

    Raises:
        DoesNotFit: the rest is more than the board's preferred region for arenas has.
    """
    fast, main = target.preferred(Role.ARENA_FAST), target.preferred(Role.ARENA)
    schedule = lowest_plan(schedule, main.name).schedule
    room_bytes = 0 if fast.name == main.name else min(limit_bytes, fast.capacity_bytes)
    problem = lives(schedule)
    regions = (_region(fast, room_bytes), _region(main, main.capacity_bytes))
    assignment = assign(RegionProblem(problem, regions, *_demands(schedule, problem)))
    alignment = max((buffer.alignment_bytes for buffer in problem.buffers), default=VALUE_ALIGNMENT_BYTES)
    fast_bytes, main_bytes = assignment.peaks_bytes
    start_bytes = aligned(main_bytes, alignment)
    places = zip(problem.buffers, assignment.regions, assignment.offsets_bytes, strict=True)
    return Plan(
        schedule,
        tuple(
            Placed(buffer, regions[number].name, offset_bytes + (start_bytes if number == _FAST else 0))
            for buffer, number, offset_bytes in places
        ),
        main_bytes,
        alignment,
        assignment.bounds_bytes[_MAIN],
        fast=FastArena(fast.name, start_bytes, fast_bytes, assignment.cost, assignment.bound),
    )


def fast_arena_would_help(schedule: Schedule, target: Target) -> Iterator[WhatIf]:
    """What would be left of an arena that does not fit, if a second one may take all of the board's fast region.

    Nothing where that is the arena's own region, or too small.
    """
    fast = target.roles.get(Role.ARENA_FAST, (target.preferred(Role.ARENA),))[0]
    if fast.name == target.preferred(Role.ARENA).name:
        return
    try:
        plan = with_fast_arena(schedule, target, fast.capacity_bytes)
    except DoesNotFit:
        return
    yield WhatIf(f'a second arena in {fast.name} (fast_arena = "{fast.capacity_bytes}")', plan.arena_bytes, "")


def _region(region: TargetRegion, capacity_bytes: int) -> MemoryRegion:
    return MemoryRegion(region.name, capacity_bytes, 1, region.read_cost, region.write_cost)


def _demands(schedule: Schedule, problem: Problem) -> tuple[tuple[Traffic, ...], tuple[frozenset[int], ...]]:
    """For each buffer how it is touched, and where it may lie."""
    read, written = defaultdict[str, int](int), defaultdict[str, int](int)
    reached = set[str]()
    for step, argument, buffer in _uses(schedule):
        traffic = traffic_of(step, argument)
        read[buffer] += traffic.read_bytes
        written[buffer] += traffic.written_bytes
        reached |= {buffer} if step.call.header == NPU_HEADER else set()
    end = len(schedule.steps) + 1
    pinned = {each.name for each in problem.buffers if each.first == 0 or each.last == end} | reached
    traffic_by_buffer = tuple(Traffic(read[each.name], written[each.name]) for each in problem.buffers)
    return traffic_by_buffer, tuple(
        frozenset({_MAIN} if each.name in pinned else {_FAST, _MAIN}) for each in problem.buffers
    )


def _uses(schedule: Schedule) -> Iterator[tuple[Step, Argument, str]]:
    """Every pointer of every step to a buffer, by the buffer's name; what leads to constants is none of them."""
    within, constants = storage(schedule), {value.name for value, _ in schedule.constant_values}
    for step in schedule.steps:
        for argument in step.call.arguments:
            if argument.place is Place.SCRATCH:
                yield step, argument, scratch_name(step, argument.index)
            elif argument.place is not Place.CONSTANT:
                values = step.node.inputs if argument.place is Place.INPUT else step.node.outputs
                name = values[argument.index].name
                if name not in constants:
                    yield step, argument, within[name].base.name if name in within else name
