# SPDX-License-Identifier: Apache-2.0
"""What makes the arena as large as it is: the moment at which most bytes are in use, and which buffers hold them."""

from __future__ import annotations

from dataclasses import dataclass

from stowage.memory.plan import Placed, Plan

INPUTS, OUTPUTS = "inputs", "outputs"
"""What the moments are called at which the caller writes and reads."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The fullest moment of a plan.

    Attributes:
        step: the name of the step that runs then, or "inputs" or "outputs" for the caller's moments.
        live: the buffers alive then, largest first.
        used_bytes: the bytes of the arena that they take, those that two of them share counted once.
    """

    step: str
    live: tuple[Placed, ...]
    used_bytes: int


def peak_of(plan: Plan) -> Peak:
    """The moment at which most bytes are in use; of equals the first that uses the highest, and then the first."""
    moments = {moment: _live(plan, moment) for moment in range(len(plan.schedule.steps) + 2)}
    moment = max(
        moments, key=lambda m: (_used_bytes(moments[m]), max((p.end_bytes for p in moments[m]), default=0), -m)
    )
    live = sorted(moments[moment], key=lambda placed: (-placed.buffer.size_bytes, placed.offset_bytes))
    return Peak(step_name(plan, moment), tuple(live), _used_bytes(live))


def step_name(plan: Plan, moment: int) -> str:
    """The name of the step that runs at a moment."""
    if moment == 0:
        return INPUTS
    if moment > len(plan.schedule.steps):
        return OUTPUTS
    return plan.schedule.steps[moment - 1].node.name


def _live(plan: Plan, moment: int) -> list[Placed]:
    return [placed for placed in plan.placed if placed.buffer.first <= moment <= placed.buffer.last]


def _used_bytes(live: list[Placed]) -> int:
    used, end = 0, 0
    for placed in sorted(live, key=lambda each: each.offset_bytes):
        used += max(0, placed.end_bytes - max(end, placed.offset_bytes))
        end = max(end, placed.end_bytes)
    return used
