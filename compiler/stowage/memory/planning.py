# SPDX-License-Identifier: Apache-2.0
"""Schedule to Plan: lives, places and bound, checked against what the board's region for arenas holds."""

from __future__ import annotations

from stowage.memory.bound import lower_bound_bytes
from stowage.memory.fit import check_fit
from stowage.memory.lives import VALUE_ALIGNMENT_BYTES, lives
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import peak_bytes, place
from stowage.schedule.schedule import Schedule
from stowage.target.board import Role
from stowage.target.target import Target


def plan_memory(schedule: Schedule, target: Target) -> Plan:
    """A plan with its whole arena in the board's preferred region for arenas.

    Raises:
        DoesNotFit: the arena is larger than that region.
    """
    region = target.preferred(Role.ARENA)
    problem = lives(schedule)
    spots = place(problem)
    placed = tuple(Placed(spot.buffer, region.name, spot.offset_bytes) for spot in spots)
    alignment = max((buffer.alignment_bytes for buffer in problem.buffers), default=VALUE_ALIGNMENT_BYTES)
    plan = Plan(schedule, placed, peak_bytes(spots), alignment, lower_bound_bytes(problem))
    check_fit(plan, region, target)
    return plan
