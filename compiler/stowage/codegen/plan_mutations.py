# SPDX-License-Identifier: Apache-2.0
"""Test support: what a planner may get wrong. All of it is where buffers lie; some of the plans are sound after all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from stowage.codegen.mutant import Mutant, with_call, with_offsets
from stowage.codegen.program import Program, Slot

_SHIFTS_BYTES = (1, 2, 4, 8, 16, 64)


def plan_mutants(program: Program) -> Iterator[Mutant]:
    """Every mistake at every buffer."""
    for slot in program.slots:
        for kind, offset in _elsewhere(program, slot):
            yield Mutant(kind, slot.buffer, _moved(program, {slot.buffer: offset}))
    for one, other in zip(program.slots, program.slots[1:], strict=False):
        places = {one.buffer: other.offset_bytes, other.buffer: one.offset_bytes}
        yield Mutant("two buffers exchanged", f"{one.buffer}, {other.buffer}", _moved(program, places))
    yield from _all_at_once(program)
    yield from _kernels_that_allow_less(program)


def _moved(program: Program, places: dict[str, int]) -> Program:
    return with_offsets(program, lambda buffer, offset: places.get(buffer, offset))


def _elsewhere(program: Program, slot: Slot) -> Iterator[tuple[str, int]]:
    for shift in _SHIFTS_BYTES:
        yield f"a buffer {shift} bytes lower", slot.offset_bytes - shift
        yield f"a buffer {shift} bytes higher", slot.offset_bytes + shift
    yield "a buffer at the arena's start", 0
    yield "a buffer before the arena", -slot.size_bytes
    yield "a buffer at the arena's end", program.arena_bytes // 8 * 8
    yield "a buffer half its size lower", slot.offset_bytes - slot.size_bytes // 2
    yield "a buffer half its size higher", slot.offset_bytes + slot.size_bytes // 2
    for other in _neighbours(program, slot):
        yield "a buffer on another", other.offset_bytes
        yield "a buffer's last byte on another's first", other.offset_bytes - slot.size_bytes + 1
        yield "a buffer's first byte on another's last", other.offset_bytes + other.size_bytes - 1
        yield "a buffer directly below another", other.offset_bytes - slot.size_bytes
        yield "a buffer directly above another", other.offset_bytes + other.size_bytes
        yield "two buffers that end together", other.offset_bytes + other.size_bytes - slot.size_bytes


def _neighbours(program: Program, slot: Slot) -> Iterator[Slot]:
    """Those that live next to a buffer in time."""
    ordered = sorted(program.slots, key=lambda each: (each.first, each.last))
    index = ordered.index(slot)
    yield from ordered[max(0, index - 2) : index]
    yield from ordered[index + 1 : index + 3]


def _all_at_once(program: Program) -> Iterator[Mutant]:
    packed, offset = dict[str, int](), 0
    for slot in program.slots:
        packed[slot.buffer] = offset
        offset += slot.size_bytes
    yield Mutant("all buffers one after the other, unaligned", "arena", _moved(program, packed))
    yield Mutant("all buffers at one place", "arena", with_offsets(program, lambda buffer, offset: 0))
    yield Mutant("all buffers one byte higher", "arena", with_offsets(program, lambda buffer, offset: offset + 1))
    yield Mutant(
        "all buffers at half of their offset", "arena", with_offsets(program, lambda buffer, offset: offset // 2)
    )
    for alignment_bytes in (1, 2):
        mutant = replace(program, alignment_bytes=alignment_bytes)
        yield Mutant(f"an arena aligned to {alignment_bytes} bytes", "arena", mutant)
    top = program.arena_bytes
    ends = {slot.buffer: slot.offset_bytes + slot.size_bytes for slot in program.slots}
    yield Mutant("the plan upside down", "arena", with_offsets(program, lambda buffer, offset: top - ends[buffer]))


def _kernels_that_allow_less(program: Program) -> Iterator[Mutant]:
    """The planner took a kernel for more patient than it is."""
    for index, call in enumerate(program.calls):
        for more in (1, 8, 64):
            overlaps = tuple(replace(each, distance_bytes=each.distance_bytes + more) for each in call.overlaps)
            mutant = with_call(program, index, replace(call, overlaps=overlaps))
            yield Mutant(f"a safe distance {more} bytes too small", call.symbol, mutant)
        mutant = with_call(program, index, replace(call, overlaps=()))
        yield Mutant("an overlap that the kernel does not allow", call.symbol, mutant)
