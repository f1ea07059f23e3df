# SPDX-License-Identifier: Apache-2.0
"""Schedule to Plan: lives, places and bound, checked against what the board's arena region holds."""

from __future__ import annotations

from stowage.memory.bound import lower_bound_bytes
from stowage.memory.lives import VALUE_ALIGNMENT_BYTES, lives
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import peak_bytes, place
from stowage.schedule.schedule import Schedule


def plan(schedule: Schedule, region: str) -> Plan:
    """A plan with its whole arena in one region."""
    problem = lives(schedule)
    spots = place(problem)
    placed = tuple(Placed(spot.buffer, region, spot.offset_bytes) for spot in spots)
    alignment = max((buffer.alignment_bytes for buffer in problem.buffers), default=VALUE_ALIGNMENT_BYTES)
    return Plan(schedule, placed, peak_bytes(spots), alignment, lower_bound_bytes(problem))
