# SPDX-License-Identifier: Apache-2.0
"""Schedule to Plan: lives, places and bound, checked against what the board's region for arenas holds."""

from __future__ import annotations

from stowage.memory.fit import Techniques, check_fit, no_technique
from stowage.memory.growths import with_growths
from stowage.memory.lives import VALUE_ALIGNMENT_BYTES, lives
from stowage.memory.moves import with_fewer_moves
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import Placement, place
from stowage.memory.problem import Problem
from stowage.schedule.schedule import Schedule
from stowage.target.board import Role
from stowage.target.target import Target

_SOON = 5_000
"""Places that may be tried for a plan that one does without if need be."""


def plan_memory(schedule: Schedule, target: Target, techniques: Techniques = no_technique) -> Plan:
    """A plan with its whole arena in the board's preferred region for arenas, of as few moves as take no more memory.

    Raises:
        DoesNotFit: the arena is larger than that region; says what techniques would help.
    """
    region = target.preferred(Role.ARENA)
    plan = lowest_plan(schedule, region.name)
    check_fit(plan, region, target, techniques)
    return plan


def lowest_plan(schedule: Schedule, region: str) -> Plan:
    """The plan in a region of any size, with the steps that are left of the schedule."""
    plan = _plan_of_fewer_moves(schedule, region)
    grown = with_growths(plan.schedule, lambda each: plan_as_it_is(each, region).arena_bytes)
    return plan if grown is plan.schedule else plan_as_it_is(grown, region)


def _plan_of_fewer_moves(schedule: Schedule, region: str) -> Plan:
    fewer = with_fewer_moves(schedule)
    plan = plan_as_it_is(fewer, region)
    if fewer is not schedule and plan.arena_bytes > plan.bound_bytes:
        plan = min(plan, plan_as_it_is(schedule, region), key=lambda each: each.arena_bytes)
    return plan


def plan_as_it_is(schedule: Schedule, region: str) -> Plan:
    """The plan in a region of any size, with all steps of the schedule."""
    problem = lives(schedule)
    return _plan(schedule, region, problem, place(problem))


def plan_within(schedule: Schedule, region: str, capacity_bytes: int) -> Plan:
    """The first plan found in so many bytes, with all steps; one that takes more if none is found soon."""
    problem = lives(schedule)
    return _plan(schedule, region, problem, place(problem, capacity_bytes, _SOON))


def _plan(schedule: Schedule, region: str, problem: Problem, placement: Placement) -> Plan:
    places = zip(problem.buffers, placement.offsets_bytes, strict=True)
    placed = tuple(Placed(buffer, region, offset_bytes) for buffer, offset_bytes in places)
    alignment = max((buffer.alignment_bytes for buffer in problem.buffers), default=VALUE_ALIGNMENT_BYTES)
    return Plan(schedule, placed, placement.peak_bytes, alignment, placement.bound_bytes)
