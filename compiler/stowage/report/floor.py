# SPDX-License-Identifier: Apache-2.0
"""What the tensors of a model take at the least where no two of them share bytes while both live."""

from __future__ import annotations

from stowage.memory.lives import moments
from stowage.pipeline import Compiled
from stowage.schedule.schedule import Schedule


def floor_without_sharing_bytes(compiled: Compiled) -> int:
    """The bytes of the tensors alive at the fullest moment, in the graph's order or the plan's, whichever needs less.

    Scratch is not counted.
    """
    return min(_fullest_bytes(compiled.as_given), _fullest_bytes(compiled.schedule))


def _fullest_bytes(schedule: Schedule) -> int:
    """Most bytes of tensors alive at one moment, a state's for the whole run."""
    first, last = moments(schedule)
    made = (value for step in schedule.steps for value in step.node.outputs)
    sizes = {value.name: value.type.size_bytes for value in (*schedule.inputs, *made) if value.name in first}
    born = [0] * (len(schedule.steps) + 3)
    for name, size in sizes.items():
        born[first[name]] += size
        born[last[name] + 1] -= size
    alive = peak = 0
    for change in born:
        alive += change
        peak = max(peak, alive)
    return peak
