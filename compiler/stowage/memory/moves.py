# SPDX-License-Identifier: Apache-2.0
"""Schedule to Schedule: slices and concats that need no step, where that takes no more memory.

A slice as a view keeps all of what it slices alive; a value made in parts has its place from the first of them on.
Either may raise the peak, so that each is tried in turn.
"""

from __future__ import annotations

from stowage.memory.bound import lower_bound_bytes
from stowage.memory.conflicts import conflicts_of
from stowage.memory.lives import lives
from stowage.schedule.joins import concat_as_join
from stowage.schedule.schedule import Schedule
from stowage.schedule.slices import slice_as_view


def with_fewer_moves(schedule: Schedule) -> Schedule:
    """The schedule without the moves that can be spared and leave the lower bound where it is, or lower it."""
    result, least = schedule, _bound_bytes(schedule)
    index = 0
    while index < len(result.steps):
        changed = slice_as_view(result, index) or concat_as_join(result, index)
        if changed is not None and (bound := _bound_bytes(changed)) <= least:
            result, least = changed, bound
        else:
            index += 1
    return result


def _bound_bytes(schedule: Schedule) -> int:
    return lower_bound_bytes(conflicts_of(lives(schedule)))
