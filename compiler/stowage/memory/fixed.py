# SPDX-License-Identifier: Apache-2.0
"""Buffers whose places are given: which places they leave to the others, and when they contradict each other."""

from __future__ import annotations

from itertools import combinations

from stowage.errors import InvalidPlan
from stowage.memory.conflicts import Conflicts, Interval
from stowage.memory.problem import Buffer


def fixed_places(conflicts: Conflicts) -> dict[int, int]:
    """The offsets that are given, by number of buffer."""
    given = enumerate(buffer.fixed_bytes for buffer in conflicts.buffers)
    return {index: offset for index, offset in given if offset is not None}


def forbidden_by_fixed(conflicts: Conflicts) -> tuple[tuple[Interval, ...], ...]:
    """For each buffer the open intervals in which it may not start, since a buffer with a given place is in the way."""
    fixed = fixed_places(conflicts)
    return tuple(
        tuple(sorted(conflicts.forbidden(index, other, fixed[other]) for other in rivals.keys() & fixed.keys()))
        for index, rivals in enumerate(conflicts.clearance_bytes)
    )


def check_fixed(conflicts: Conflicts) -> None:
    """Refuses given places that no placement can keep.

    Raises:
        InvalidPlan: one is negative or not aligned, or two that live at one moment or have to lie apart share bytes.
    """
    fixed = fixed_places(conflicts)
    for index in fixed:
        _check_place(conflicts.buffers[index])
    for a, b in combinations(fixed, 2):
        if b in conflicts.clearance_bytes[a] and not conflicts.legal(a, fixed[a], b, fixed[b]):
            raise _contradiction(conflicts.buffers[a], conflicts.buffers[b])


def _check_place(buffer: Buffer) -> None:
    offset = buffer.fixed_bytes or 0
    if offset < 0 or offset % buffer.alignment_bytes:
        raise InvalidPlan(
            where=f'buffer "{buffer.name}"',
            reason=f"its fixed offset {offset:,} is neither 0 nor a positive multiple of its alignment, "
            f"{buffer.alignment_bytes:,} B",
            remedy="give it one that is",
        )


def _contradiction(a: Buffer, b: Buffer) -> InvalidPlan:
    why = f"both live at moment {max(a.first, b.first)}" if a.meets(b) else "they have to lie apart"
    return InvalidPlan(
        where=f'buffers "{a.name}" and "{b.name}"',
        reason=(
            f"{why}, but their fixed offsets {a.fixed_bytes:,} and "
            f"{b.fixed_bytes:,} let their {a.size_bytes:,} B and {b.size_bytes:,} B overlap"
        ),
        remedy="move one of them, or leave its place to the planner",
    )
