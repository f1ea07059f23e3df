# SPDX-License-Identifier: Apache-2.0
"""Whether a plan's arena fits its region, and what to tell the user when it does not."""

from __future__ import annotations

from stowage.errors import DoesNotFit
from stowage.memory.plan import Placed, Plan
from stowage.target.target import Target, TargetRegion

_NAMED_BUFFERS = 3


def check_fit(plan: Plan, region: TargetRegion, target: Target) -> None:
    """Refuses an arena that is larger than its region.

    Raises:
        DoesNotFit: names the region, the excess, the step that makes the peak with its largest buffers, and what would
            help.
    """
    excess_bytes = plan.arena_bytes - region.capacity_bytes
    if excess_bytes <= 0:
        return
    step, live = _peak(plan)
    largest = ", ".join(f'"{p.buffer.name}" ({p.buffer.size_bytes:,} B)' for p in live[:_NAMED_BUFFERS])
    raise DoesNotFit(
        where=f'node "{step}"' if step else "",
        reason=(
            f"the arena needs {plan.arena_bytes:,} B, but region {region.name} of board {target.board} has "
            f"{region.capacity_bytes:,} B for it, {excess_bytes:,} B too few; the peak holds {largest}"
        ),
        remedy=_remedy(plan, region),
    )


def _peak(plan: Plan) -> tuple[str, list[Placed]]:
    """The step whose living buffers take most bytes, and those buffers, largest first."""
    steps = plan.schedule.steps
    moments = {moment: _live(plan, moment) for moment in range(1, len(steps) + 1)}
    if not moments:
        return "", sorted(plan.placed, key=lambda p: -p.buffer.size_bytes)
    moment = max(moments, key=lambda m: sum(p.buffer.size_bytes for p in moments[m]))
    return steps[moment - 1].node.name, sorted(moments[moment], key=lambda p: -p.buffer.size_bytes)


def _live(plan: Plan, moment: int) -> list[Placed]:
    return [placed for placed in plan.placed if placed.buffer.first <= moment <= placed.buffer.last]


def _remedy(plan: Plan, region: TargetRegion) -> str:
    if plan.bound_bytes > region.capacity_bytes:
        return (
            f"no placement of these tensors takes less than {plan.bound_bytes:,} B: make the model's input or widest "
            "layer smaller, use an int8 model where this one is float32, or choose a board with more memory"
        )
    return "make the widest layer smaller, or choose a board with more memory"
