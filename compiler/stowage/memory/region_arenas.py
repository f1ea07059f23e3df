# SPDX-License-Identifier: Apache-2.0
"""Schedule to Plan with an arena in each of several regions: every buffer where it costs least, as far as is allowed.

All are planned as one problem of regions (`region_search`) with what the kernels read and write (`traffic`), at the
board's costs. What the caller reads and writes, states and what an NPU reaches lie in the main arena. In a plan and a
program the further arenas are told apart by offsets alone: each follows those before it, from a multiple of the
alignment on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stowage.errors import DoesNotFit
from stowage.memory.arena_choice import FAST, Chosen, chosen_arenas
from stowage.memory.bound import lower_bound_bytes
from stowage.memory.conflicts import aligned, conflicts_of
from stowage.memory.lives import VALUE_ALIGNMENT_BYTES, lives, scratch_name
from stowage.memory.plan import FurtherArena, FurtherArenas, Placed, Plan
from stowage.memory.planning import lowest_plan
from stowage.memory.problem import Problem
from stowage.memory.region_search import Assignment, assign
from stowage.memory.regions import MemoryRegion, RegionProblem, Traffic
from stowage.memory.traffic import traffic_of
from stowage.memory.what_if import WhatIf
from stowage.schedule.schedule import Schedule, Step, storage
from stowage.target.board import Role
from stowage.target.kernels.kernel import Argument, Place
from stowage.target.kernels.npu import NPU_HEADER
from stowage.target.target import Target, TargetRegion


def with_region_arenas(schedule: Schedule, target: Target, limits_bytes: Mapping[str, int]) -> Plan:
    """The cheapest plan that is found whose further arenas take no more than their limits.

    Args:
        schedule: the steps.
        target: the board.
        limits_bytes: the most that the model may take of a region, by the name that `chosen_arenas` knows it by.

    Raises:
        StowageError: a name is refused.
        DoesNotFit: there is no room for all buffers, or none in the main arena for what has to lie there.
    """
    chosen, main = chosen_arenas(target, limits_bytes), target.preferred(Role.ARENA)
    schedule = lowest_plan(schedule, main.name).schedule
    problem = lives(schedule)
    pinned, traffic = _pinned(schedule, problem), _traffic(schedule, problem)
    _check_main(problem, pinned, main, target.board)
    rooms = _by_preference(chosen, main)
    regions = tuple(
        MemoryRegion(each.name, room_bytes, 1, each.read_cost, each.write_cost) for each, room_bytes in rooms
    )
    mains = frozenset(number for number, region in enumerate(regions) if region.name == main.name)
    allowed = tuple(mains if each.name in pinned else frozenset(range(len(regions))) for each in problem.buffers)
    assignment = assign(RegionProblem(problem, regions, traffic, allowed))
    return _plan(schedule, problem, _Outcome(chosen, main.name, regions, assignment))


def further_arenas_would_help(schedule: Schedule, target: Target) -> Iterator[WhatIf]:
    """What would be left of an arena that does not fit, if a second one may take all of the board's fast region.

    Nothing where that is the arena's own region, or too small.
    """
    fast = target.roles.get(Role.ARENA_FAST, (target.preferred(Role.ARENA),))[0]
    if fast.name == target.preferred(Role.ARENA).name:
        return
    try:
        plan = with_region_arenas(schedule, target, {FAST: fast.capacity_bytes})
    except DoesNotFit:
        return
    change = f'a second arena in {fast.name} (arenas = {{"{FAST}": "{fast.capacity_bytes}"}})'
    yield WhatIf(change, plan.arena_bytes, "")


def _by_preference(chosen: Sequence[Chosen], main: TargetRegion) -> list[tuple[TargetRegion, int]]:
    """Regions with the bytes that may be used, cheapest first; of those that cost the same the main one comes last."""
    rooms = [*((each.region, each.room_bytes) for each in chosen if each.region != main), (main, main.capacity_bytes)]
    return sorted(rooms, key=lambda room: room[0].read_cost + room[0].write_cost)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What was asked for, the main region's name, all regions as they were searched, and what was found."""

    chosen: Sequence[Chosen]
    main: str
    regions: Sequence[MemoryRegion]
    assignment: Assignment

    def of_region(self, values: Sequence[int]) -> dict[str, int]:
        """What there is of each region, by its name."""
        return {region.name: value for region, value in zip(self.regions, values, strict=True)}


def _plan(schedule: Schedule, problem: Problem, outcome: _Outcome) -> Plan:
    alignment = max((buffer.alignment_bytes for buffer in problem.buffers), default=VALUE_ALIGNMENT_BYTES)
    assignment = outcome.assignment
    arenas = _in_a_row(outcome, alignment)
    starts = {outcome.main: 0} | {each.region: each.start_bytes for each in arenas if each.region != outcome.main}
    names = [outcome.regions[number].name for number in assignment.regions]
    places = zip(problem.buffers, names, assignment.offsets_bytes, strict=True)
    return Plan(
        schedule,
        tuple(Placed(buffer, name, starts[name] + offset_bytes) for buffer, name, offset_bytes in places),
        outcome.of_region(assignment.peaks_bytes)[outcome.main],
        alignment,
        outcome.of_region(assignment.bounds_bytes)[outcome.main],
        further=FurtherArenas(arenas, assignment.cost, assignment.bound),
    )


def _in_a_row(outcome: _Outcome, alignment: int) -> tuple[FurtherArena, ...]:
    """The further arenas in the order in which they were asked for, in offsets after the main one."""
    peaks, arenas = outcome.of_region(outcome.assignment.peaks_bytes), list[FurtherArena]()
    end_bytes = peaks[outcome.main]
    for each in outcome.chosen:
        size_bytes = 0 if each.region.name == outcome.main else peaks[each.region.name]
        start_bytes = aligned(end_bytes, alignment)
        arenas.append(FurtherArena(each.name, each.region.name, each.role.value, start_bytes, size_bytes))
        end_bytes = start_bytes + size_bytes
    return tuple(arenas)


def _check_main(problem: Problem, pinned: frozenset[str], main: TargetRegion, board: str) -> None:
    """Refuses a main region that has no room for what has to lie there, wherever the rest does."""
    members = tuple(each for each in problem.buffers if each.name in pinned)
    needed_bytes = lower_bound_bytes(conflicts_of(problem.of(members)))
    if needed_bytes > main.capacity_bytes:
        largest, room_bytes = max(members, key=lambda each: each.size_bytes), main.capacity_bytes
        raise DoesNotFit(
            where=f'"{largest.name}"',
            reason=(
                f"inputs, outputs and states lie in the arena and need {needed_bytes:,} B there, but region "
                f"{main.name} of board {board} has {room_bytes:,} B for it, {needed_bytes - room_bytes:,} B too few"
            ),
            remedy="make them smaller, or choose a board whose first region for arenas is larger",
        )


def _pinned(schedule: Schedule, problem: Problem) -> frozenset[str]:
    """The buffers that lie in the main arena: what the caller reaches, states, and what an NPU reaches."""
    end = len(schedule.steps) + 1
    reached = {buffer for step, _, buffer in _uses(schedule) if step.call.header == NPU_HEADER}
    return frozenset({each.name for each in problem.buffers if each.first == 0 or each.last == end} | reached)


def _traffic(schedule: Schedule, problem: Problem) -> tuple[Traffic, ...]:
    """For each buffer how it is touched."""
    read, written = defaultdict[str, int](int), defaultdict[str, int](int)
    for step, argument, buffer in _uses(schedule):
        traffic = traffic_of(step, argument)
        read[buffer] += traffic.read_bytes
        written[buffer] += traffic.written_bytes
    return tuple(Traffic(read[each.name], written[each.name]) for each in problem.buffers)


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
