# SPDX-License-Identifier: Apache-2.0
"""What the tensors of a model take at the least where no two of them share bytes while both live."""

from __future__ import annotations

from itertools import accumulate

from stowage.memory.lives import lives, scratch_name
from stowage.pipeline import Compiled
from stowage.schedule.schedule import Schedule


def floor_without_sharing_bytes(compiled: Compiled) -> int:
    """The bytes of the tensors alive at the fullest moment, in the graph's order or the best, whichever needs less.

    Scratch is not counted.
    """
    return min(_fullest_bytes(compiled.as_given), _fullest_bytes(compiled.ordered))


def _fullest_bytes(schedule: Schedule) -> int:
    """Most bytes of tensors alive at one moment."""
    scratch = {scratch_name(step, index) for step in schedule.steps for index in range(len(step.call.scratch_bytes))}
    born = [0] * (len(schedule.steps) + 3)
    for buffer in lives(schedule).buffers:
        if buffer.name not in scratch:
            born[buffer.first] += buffer.size_bytes
            born[buffer.last + 1] -= buffer.size_bytes
    return max(accumulate(born))
