# SPDX-License-Identifier: Apache-2.0
"""What makes the arena as large as it is: the moment at which most bytes are alive, and which buffers they are."""

from __future__ import annotations

from dataclasses import dataclass

from stowage.memory.plan import Placed, Plan


@dataclass(frozen=True, slots=True)
class Peak:
    """The fullest moment of a plan.

    Attributes:
        step: the name of the step that runs then, or "inputs" or "outputs" for the caller's moments.
        live: the buffers alive then, largest first.
        end_bytes: the end of the highest of them.
    """

    step: str
    live: tuple[Placed, ...]
    end_bytes: int


def peak_of(plan: Plan) -> Peak:
    """The moment whose living buffers reach highest; the first of equals."""
    moments = range(len(plan.schedule.steps) + 2)
    moment = max(moments, key=lambda m: (_end_bytes(_live(plan, m)), -m))
    live = _live(plan, moment)
    return Peak(step_name(plan, moment), tuple(sorted(live, key=lambda p: -p.buffer.size_bytes)), _end_bytes(live))


def step_name(plan: Plan, moment: int) -> str:
    """The name of the step that runs at a moment."""
    if moment == 0:
        return "inputs"
    if moment > len(plan.schedule.steps):
        return "outputs"
    return plan.schedule.steps[moment - 1].node.name


def _live(plan: Plan, moment: int) -> list[Placed]:
    return [placed for placed in plan.placed if placed.buffer.first <= moment <= placed.buffer.last]


def _end_bytes(live: list[Placed]) -> int:
    return max((placed.end_bytes for placed in live), default=0)
