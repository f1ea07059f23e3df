# SPDX-License-Identifier: Apache-2.0
"""What makes the arena as large as it is: the moment at which most bytes are in use, and which buffers hold them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stowage.memory.plan import Placed, Plan

INPUTS, OUTPUTS = "inputs", "outputs"
"""What the moments are called at which the caller writes and reads."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a plan, above all its fullest.

    Attributes:
        step: the name of the step that runs then, or "inputs" or "outputs" for the caller's moments.
        live: the buffers alive then, largest first.
        used_bytes: the bytes of the arena that they take, those that two of them share counted once.
    """

    step: str
    live: tuple[Placed, ...]
    used_bytes: int


def peak_of(plan: Plan) -> Moment:
    """The moment at which most bytes are in use; of equals the first that uses the highest, and then the first."""
    return fullest(moments_of(plan))


def fullest(moments: Iterable[Moment]) -> Moment:
    """Of moments in their order, the one that makes the peak, as `peak_of` finds it."""
    return max(moments, key=lambda each: (each.used_bytes, max((p.end_bytes for p in each.live), default=0)))


def moments_of(plan: Plan) -> list[Moment]:
    """All moments of a plan, from the caller's writing of the inputs to the reading of the outputs."""
    return [_at(plan, moment) for moment in range(len(plan.schedule.steps) + 2)]


def _at(plan: Plan, moment: int) -> Moment:
    live = [placed for placed in plan.placed if placed.buffer.first <= moment <= placed.buffer.last]
    by_size = sorted(live, key=lambda placed: (-placed.buffer.size_bytes, placed.offset_bytes))
    return Moment(step_name(plan, moment), tuple(by_size), _used_bytes(live))


def step_name(plan: Plan, moment: int) -> str:
    """The name of the step that runs at a moment."""
    if moment == 0:
        return INPUTS
    if moment > len(plan.schedule.steps):
        return OUTPUTS
    return plan.schedule.steps[moment - 1].node.name


def _used_bytes(live: list[Placed]) -> int:
    used, end = 0, 0
    for placed in sorted(live, key=lambda each: each.offset_bytes):
        used += max(0, placed.end_bytes - max(end, placed.offset_bytes))
        end = max(end, placed.end_bytes)
    return used
