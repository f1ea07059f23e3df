# SPDX-License-Identifier: Apache-2.0
"""Whether a pool's arena fits its region, and what to tell the user when it does not."""

from __future__ import annotations

from stowage.errors import DoesNotFit
from stowage.memory.fit import told
from stowage.memory.peak import INPUTS, OUTPUTS, peak_of
from stowage.memory.pool import PoolPlan
from stowage.memory.pool_what_if import hungriest, what_would_help_pool
from stowage.target.target import Target, TargetRegion

_NAMED_BUFFERS = 3


def check_pool_fit(pool: PoolPlan, region: TargetRegion, target: Target) -> None:
    """Refuses an arena that is larger than its region.

    Raises:
        DoesNotFit: names the pool, the region, the excess, the model and step that make the peak with the largest
            buffers there, and what would help.
    """
    excess_bytes = pool.arena_bytes - region.capacity_bytes
    if excess_bytes <= 0:
        return
    plan = hungriest(pool)
    peak = peak_of(plan)
    largest = ", ".join(f'"{p.buffer.name}" ({p.buffer.size_bytes:,} B)' for p in peak.live[:_NAMED_BUFFERS])
    step = f"the caller's {peak.step}" if peak.step in (INPUTS, OUTPUTS) else f'node "{peak.step}"'
    raise DoesNotFit(
        where=f'pool "{pool.name}": {step} of model "{plan.schedule.name}"',
        reason=(
            f"the arena needs {pool.arena_bytes:,} B, but region {region.name} of board {target.board} has "
            f"{region.capacity_bytes:,} B for it, {excess_bytes:,} B too few; {pool.kept_bytes:,} B stay from run to "
            f"run, and the peak holds {largest}"
        ),
        remedy=_remedy(pool, region),
    )


def _remedy(pool: PoolPlan, region: TargetRegion) -> str:
    """What each change would bring, and that the board may be another."""
    changes = [told(change, region) for change in what_would_help_pool(pool)]
    ways = ", ".join([*changes, "or choose a board with more memory"])
    if pool.bound_bytes > region.capacity_bytes:
        return f"no plan of this pool takes less than {pool.bound_bytes:,} B: {ways}"
    return ways
