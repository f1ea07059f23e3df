# SPDX-License-Identifier: Apache-2.0
"""The proof of a pool, made from the emitted programs and the places that the caller is told of.

Each program is proved by itself with all bytes that stay taken for untouchable. Which these are is not believed either:
they are the states of the other programs, where those programs have them, and the caller's buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stowage.codegen.program import Program
from stowage.codegen.slot_check import end_bytes
from stowage.codegen.validate import validate
from stowage.errors import InvalidPlan
from stowage.memory.pool import PlacedCallerBuffer


def validate_pool(programs: Sequence[Program], buffers: Sequence[PlacedCallerBuffer]) -> None:
    """Proves that the models of a pool may run in any order, and that nothing that stays is lost by it.

    Raises:
        InvalidPlan: names the model, the step and the bytes at fault.
    """
    if len({(program.arena_bytes, program.alignment_bytes) for program in programs}) != 1:
        raise _broken(programs[0], "its arena is another than that of the other models")
    for program in programs:
        foreign = program.share.foreign if program.share else ()
        told = sorted((each.offset_bytes, each.size_bytes, each.is_kept) for each in foreign)
        if told != sorted(_strangers(program, programs, buffers)):
            raise _broken(program, "it does not know what else is in the arena")
        validate(program)
    ends = [end_bytes(program) for program in programs]
    ends += [placed.offset_bytes + placed.buffer.size_bytes for placed in buffers]
    if programs[0].arena_bytes != max(ends):
        raise _broken(programs[0], f"the arena has {programs[0].arena_bytes} bytes, but all ends at byte {max(ends)}")


def _strangers(
    program: Program, programs: Sequence[Program], buffers: Sequence[PlacedCallerBuffer]
) -> Iterator[tuple[int, int, bool]]:
    """(offset, size, whether it stays) of all bytes that are others'."""
    for other in programs:
        if other is not program:
            for state in (each for each in other.states if each.held.value.type.elements):
                yield state.held.offset_bytes, state.held.value.type.size_bytes, True
    for placed in buffers:
        yield placed.offset_bytes, placed.buffer.size_bytes, placed.buffer.is_kept


def _broken(program: Program, reason: str) -> InvalidPlan:
    remedy = "this is a defect of Stowage: please report it with the models"
    return InvalidPlan(where=f'model "{program.name}"', reason=reason, remedy=remedy)
