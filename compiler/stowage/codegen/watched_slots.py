# SPDX-License-Identifier: Apache-2.0
"""The lives that a poison build watches: those of buffers, or of a buffer's rows where others lie over what was read.

A buffer that is consumed row by row makes room before its end. Each of its rows then lives until the last call that
touches it, which is read from the calls alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from stowage.codegen.program import ArenaPointer, Program, Slot


@dataclass(frozen=True, slots=True)
class Watched:
    """Bytes of a buffer from `begin_bytes` on, counted from its start, and the moments through which they are its."""

    slot: Slot
    begin_bytes: int
    size_bytes: int
    last: int


def watched_slots(program: Program) -> Iterator[Watched]:
    """All buffers of a program, those that are consumed row by row in pieces."""
    for slot in program.slots:
        if any(_lies_over(other, slot) for other in program.slots):
            yield from _pieces(program, slot)
        else:
            yield Watched(slot, 0, slot.size_bytes, slot.last)


def _lies_over(other: Slot, slot: Slot) -> bool:
    """Whether another buffer is made over one that is still to be read after that."""
    apart = other.offset_bytes >= _end(slot) or slot.offset_bytes >= _end(other)
    return other is not slot and not apart and slot.first < other.first < slot.last


def _end(slot: Slot) -> int:
    return slot.offset_bytes + slot.size_bytes


def _pieces(program: Program, slot: Slot) -> Iterator[Watched]:
    uses = [
        (pointer.offset_bytes - slot.offset_bytes, pointer.end_bytes - slot.offset_bytes, moment)
        for moment, call in enumerate(program.calls, 1)
        for pointer in call.pointers
        if isinstance(pointer, ArenaPointer) and pointer.buffer == slot.buffer
    ]
    edges = sorted({0, slot.size_bytes, *(edge for begin, end, _ in uses for edge in (begin, end))})
    for begin, end in pairwise(edges):
        moments = [moment for first, last, moment in uses if first <= begin and end <= last]
        yield Watched(slot, begin, end - begin, max(moments, default=slot.first))
