# SPDX-License-Identifier: Apache-2.0
"""Whether a plan's arena fits its region, and what to tell the user when it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from stowage.errors import DoesNotFit
from stowage.memory.peak import INPUTS, OUTPUTS, peak_of
from stowage.memory.plan import Plan
from stowage.memory.what_if import WhatIf, what_would_help
from stowage.target.target import Target, TargetRegion

_NAMED_BUFFERS = 3

Techniques = Callable[[Plan, int], Iterable[WhatIf]]
"""What other techniques would make of a plan's arena, that has a number of bytes to fit into."""


def no_technique(plan: Plan, capacity_bytes: int) -> Iterable[WhatIf]:
    """Nothing beside changes of the model."""
    return ()


def check_fit(plan: Plan, region: TargetRegion, target: Target, techniques: Techniques = no_technique) -> None:
    """Refuses an arena that is larger than its region.

    Args:
        plan: whose arena it is.
        region: where it is to lie.
        target: the board.
        techniques: asked for what would help beside changes of the model, if it does not fit.

    Raises:
        DoesNotFit: names the region, the excess, the step that makes the peak with its largest buffers, and what would
            help.
    """
    excess_bytes = plan.arena_bytes - region.capacity_bytes
    if excess_bytes <= 0:
        return
    peak = peak_of(plan)
    largest = ", ".join(f'"{p.buffer.name}" ({p.buffer.size_bytes:,} B)' for p in peak.live[:_NAMED_BUFFERS])
    raise DoesNotFit(
        where=_where(peak.step),
        reason=(
            f"the arena needs {plan.arena_bytes:,} B, but region {region.name} of board {target.board} has "
            f"{region.capacity_bytes:,} B for it, {excess_bytes:,} B too few; the peak holds {largest}"
        ),
        remedy=_remedy(plan, region, techniques),
    )


def _where(step: str) -> str:
    return f"the caller's {step}" if step in (INPUTS, OUTPUTS) else f'node "{step}"'


def _remedy(plan: Plan, region: TargetRegion, techniques: Techniques) -> str:
    """What each technique and each change of the model would bring, and that the board may be another."""
    ways_known = (*techniques(plan, region.capacity_bytes), *what_would_help(plan))
    changes = [told(change, region) for change in ways_known]
    ways = ", ".join([*changes, "or choose a board with more memory"])
    if plan.bound_bytes > region.capacity_bytes:
        return f"no placement of these tensors takes less than {plan.bound_bytes:,} B: {ways}"
    return ways


def told(change: WhatIf, region: TargetRegion) -> str:
    """A change and what it brings, for instance `quantize = "int8" would make it about 4,640 B, which fits`."""
    excess_bytes = change.arena_bytes - region.capacity_bytes
    verdict = "which fits" if excess_bytes <= 0 else f"{excess_bytes:,} B too many"
    return f"{change.change} would make it about {change.arena_bytes:,} B, {verdict}"
