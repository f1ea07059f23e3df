# SPDX-License-Identifier: Apache-2.0
"""How far a step's output may lie over the bytes of an operand that nobody reads afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stowage.schedule.schedule import Step, View
from stowage.target.kernels.kernel import FORWARD, Direction


@dataclass(frozen=True, slots=True)
class Sharing:
    """The step's first output may lie over `base` where both honour `distance_bytes`, as `Overlap` defines it.

    The distance is below zero where the step reads a part of the base that starts (walking backward: ends) within it.
    """

    base: str
    distance_bytes: int
    direction: Direction


def sharings(step: Step, views: Mapping[str, View]) -> Iterator[Sharing]:
    """What a step's output may lie over, provided that the base dies here.

    A base that is read through several operands may be shared in a direction for which the kernel declares all of them;
    the largest distance then counts.

    Args:
        step: the step.
        views: all views of the schedule by name.
    """
    bases = [views[value.name].base if value.name in views else value for value in step.node.inputs]
    for base in dict.fromkeys(bases):
        operands = [index for index, each in enumerate(bases) if each == base]
        for direction in Direction:
            distances = [_distance_bytes(step, index, direction, views) for index in operands]
            known = [distance for distance in distances if distance is not None]
            if len(known) == len(operands):
                yield Sharing(base.name, max(known), direction)


def shared_bytes(sharing: Sharing, base_bytes: int, output_bytes: int) -> int:
    """The most bytes that output and base can have in common."""
    return max(0, min(base_bytes, output_bytes - max(0, sharing.distance_bytes)))


def of_one_walk(step: Step, dying: Sequence[Sharing], views: Mapping[str, View]) -> Sequence[Sharing]:
    """Those that the planner may use together.

    A kernel that walks as it is told walks one way for all of its operands. Where several of them die, that way is
    settled here: the one in which output and operands can have more bytes in common.

    Args:
        step: the step.
        dying: what its output may lie over.
        views: all views of the schedule by name.
    """
    if FORWARD not in step.call.parameters or len({each.base for each in dying}) < 2:
        return dying
    bases = [views[value.name].base if value.name in views else value for value in step.node.inputs]
    sizes = {base.name: base.type.size_bytes for base in bases}
    ways = [[each for each in dying if each.direction is direction] for direction in Direction]
    made_bytes = step.node.outputs[0].type.size_bytes
    return max(ways, key=lambda way: sum(shared_bytes(each, sizes[each.base], made_bytes) for each in way))


def _distance_bytes(step: Step, operand: int, direction: Direction, views: Mapping[str, View]) -> int | None:
    """The safe distance from the operand's base, or None where the kernel declares none."""
    declared = [
        overlap.distance_bytes
        for overlap in step.call.overlaps
        if overlap.input == operand and overlap.direction is direction
    ]
    if not declared:
        return None
    view = views.get(step.node.inputs[operand].name)
    if view is None:
        return min(declared)
    after_bytes = view.base.type.size_bytes - view.offset_bytes - view.value.type.size_bytes
    return min(declared) - (view.offset_bytes if direction is Direction.FORWARD else after_bytes)
