# SPDX-License-Identifier: Apache-2.0
"""`<model>_arena.h`: where in the arena every tensor and scratch buffer lies, and when."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.codegen.c_file import banner, comment, guarded, in_comment
from stowage.codegen.program import Program, Slot


def arena_header(program: Program) -> str:
    """The text of `<model>_arena.h`: one macro a buffer, by address, then by time."""
    upper = program.name.upper()
    intro = comment(
        [
            f"The arena has {program.arena_bytes} bytes. Moments: 0, the caller writes the inputs; k + 1, step k runs;",
            f"{len(program.calls) + 1}, the caller reads the outputs.",
            *_further(program),
            *_foreign(program),
            "",
            "offset  size  moments  buffer",
        ]
    )
    slots = sorted(program.slots, key=lambda slot: (slot.offset_bytes, slot.first))
    body = intro + "".join(_macro(slot, program.local_bytes(slot.offset_bytes)) for slot in slots)
    return banner(program.name, "the places of its tensors") + guarded(f"{upper}_ARENA_H", body)


def _further(program: Program) -> Iterator[str]:
    """Where there are several arenas, which offsets are of which."""
    for arena in program.further_arenas:
        names = ", ".join(slot.macro for slot in program.slots_in(arena)) or "nothing"
        where = f"In arena_{arena.name}, of {arena.size_bytes} bytes, with offsets from its own start, are:"
        yield from ("", where, names)


def _foreign(program: Program) -> list[str]:
    """In a pool, what of the arena is others'."""
    foreign = sorted(program.share.foreign, key=lambda each: each.offset_bytes) if program.share else []
    rows = [f"{each.offset_bytes}  {each.size_bytes} bytes: {in_comment(each.name)}" for each in foreign]
    return ["", "Others' bytes in it:", "", *rows] if rows else []


def _macro(slot: Slot, offset_bytes: int) -> str:
    life = f"{slot.size_bytes} bytes, moments {slot.first} to {slot.last}: {in_comment(slot.buffer)}"
    return f"#define {slot.macro} {offset_bytes}u /* {life} */\n"
