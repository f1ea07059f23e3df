# SPDX-License-Identifier: Apache-2.0
"""Test support: pointers that lead elsewhere than the schedule's values. None of these programs may pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from stowage.codegen.mutant import Mutant, arena_pointers, exchanged, with_call, with_item, with_pointer
from stowage.codegen.program import Access, ArenaPointer, DataPointer, Pointer, Program, Slot

_CTYPES = ("int8_t", "uint8_t", "int16_t", "int32_t", "float")


def pointer_mutants(program: Program) -> Iterator[Mutant]:
    """Every mistake at every pointer and constant."""
    for call, number, pointer in arena_pointers(program):
        for kind, instead in (*_of_its_own(program, pointer), *_of_other_buffers(program, pointer)):
            place = f"{program.calls[call].symbol}, pointer {number}"
            yield Mutant(kind, place, with_pointer(program, call, number, instead))
    yield from _exchanged(program)
    yield from _constants(program)
    yield from _data(program)


def _of_its_own(program: Program, pointer: ArenaPointer) -> Iterator[tuple[str, Pointer]]:
    for shift in (1, 4, 8):
        yield f"a pointer {shift} bytes lower", replace(pointer, offset_bytes=pointer.offset_bytes - shift)
        yield f"a pointer {shift} bytes higher", replace(pointer, offset_bytes=pointer.offset_bytes + shift)
    yield "a pointer to the arena's start", replace(pointer, offset_bytes=0)
    yield "a pointer before the arena", replace(pointer, offset_bytes=-pointer.size_bytes)
    yield "a pointer to the arena's end", replace(pointer, offset_bytes=program.arena_bytes)
    yield "a byte less under a pointer", replace(pointer, size_bytes=pointer.size_bytes - 1)
    yield "a byte more under a pointer", replace(pointer, size_bytes=pointer.size_bytes + 1)
    yield "half as much under a pointer", replace(pointer, size_bytes=pointer.size_bytes // 2)
    yield "nothing under a pointer", replace(pointer, size_bytes=0)
    yield "another operand's pointer", replace(pointer, operand=pointer.operand + 1)
    for access in Access:
        yield f"a pointer to {access.value}", replace(pointer, access=access)
    for ctype in _CTYPES:
        yield f"a pointer to {ctype}", replace(pointer, ctype=ctype)
    for datum in program.data[:1]:
        yield "a constant in place of a tensor", DataPointer(datum.symbol, datum.ctype)


def _of_other_buffers(program: Program, pointer: ArenaPointer) -> Iterator[tuple[str, Pointer]]:
    yield "a pointer to a buffer that is not there", replace(pointer, buffer="nowhere")
    for other in _next(program, pointer.buffer):
        there = replace(pointer, buffer=other.buffer, offset_bytes=other.offset_bytes)
        yield "a pointer to another buffer", there
        yield "a pointer to all of another buffer", replace(there, size_bytes=other.size_bytes)
        yield "a pointer with another buffer's name", replace(pointer, buffer=other.buffer)
        yield "a pointer to another buffer's place", replace(pointer, offset_bytes=other.offset_bytes)


def _next(program: Program, buffer: str) -> Iterator[Slot]:
    """The buffers before and after one in the program's table."""
    names = [slot.buffer for slot in program.slots]
    index = names.index(buffer)
    yield program.slots[index - 1]
    yield program.slots[(index + 1) % len(names)]


def _exchanged(program: Program) -> Iterator[Mutant]:
    for index, call in enumerate(program.calls):
        for number in range(1, len(call.pointers)):
            pointers = exchanged(call.pointers, number - 1, number)
            mutant = with_call(program, index, replace(call, pointers=pointers))
            yield Mutant("two pointers exchanged", f"{call.symbol}, pointer {number}", mutant)


def _constants(program: Program) -> Iterator[Mutant]:
    """Pointers to other constants than the kernel's."""
    symbols = [datum.symbol for datum in program.data]
    for index, call in enumerate(program.calls):
        for number, pointer in enumerate(call.pointers):
            if isinstance(pointer, DataPointer):
                other = program.data[symbols.index(pointer.symbol) - 1]
                instead = {
                    "another constant's symbol": replace(pointer, symbol=other.symbol),
                    "another constant": DataPointer(other.symbol, other.ctype),
                    "a constant's elements of another type": replace(pointer, ctype="int64_t"),
                    "a constant that is not there": replace(pointer, symbol="nowhere"),
                }
                for kind, each in instead.items():
                    yield Mutant(kind, f"{call.symbol}, pointer {number}", with_pointer(program, index, number, each))


def _data(program: Program) -> Iterator[Mutant]:
    """The constants themselves."""
    for index, datum in enumerate(program.data):
        other = program.data[index - 1]
        tables = {
            "a constant left out": with_item(program.data, index),
            "a constant with another's bytes": with_item(program.data, index, replace(datum, digest=other.digest)),
            "a constant with another's name": with_item(program.data, index, replace(datum, symbol=other.symbol)),
            "a constant of another type": with_item(program.data, index, replace(datum, ctype="int64_t")),
            "a constant without bytes": with_item(program.data, index, replace(datum, digest="none")),
        }
        for kind, data in tables.items():
            yield Mutant(kind, datum.symbol, replace(program, data=data))
        yield Mutant("a flipped bit in a constant", datum.symbol, _flipped(program, datum.digest))


def _flipped(program: Program, digest: str) -> Program:
    array = program.constants[digest]
    content = bytearray(array.tobytes())
    content[-1] ^= 1
    flipped = np.frombuffer(bytes(content), array.dtype).reshape(array.shape)
    return replace(program, constants={**program.constants, digest: flipped})
