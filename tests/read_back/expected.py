# SPDX-License-Identifier: Apache-2.0
"""What the C of a program has to say: the program that was proved sound, as its C is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from stowage.codegen.program import Access, ArenaPointer, Call, DataPointer, Port, Program
from stowage.codegen.watched_slots import watched_slots
from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.memory.plan import FurtherArena as PlannedArena
from stowage.target.kernels.kernel import ParameterValue
from tests.read_back.c_tokens import Number
from tests.read_back.written import Event, FurtherArena, Pointer, PortRow, SlotRow, Written, WrittenCall

_WHOLE = {DType.F16: "uint16_t", DType.F32: "float", DType.F64: "double", DType.BOOL: "uint8_t"}


def written_of(program: Program) -> Written:
    """The record of a program of its own arena's sources, or of its part of a pool's."""
    owner = program.share.pool if program.share else program.variant.model if program.variant else program.name
    own = owner == program.name
    return Written(
        includes=tuple(_includes(program)),
        arena=(program.name, program.alignment_bytes, program.arena_bytes) if own else None,
        further=tuple(_further(program, each) for each in program.further_arenas),
        calls=tuple(_call(program, call) for call in program.calls),
        run=tuple(_run(program)),
        fillings=tuple((s.held.identifier, _ctype(s.held.value.type.dtype), s.initial) for s in program.states),
        slots=tuple(_slots(program, None)),
        watched=tuple(tuple(_slots(program, each)) for each in program.further_arenas),
        ports={
            "inputs": tuple(map(_port, program.inputs)),
            "outputs": tuple(map(_port, program.outputs)),
            "states": tuple(_port(state.held) for state in program.states),
        },
        described=tuple(_described(program)),
        data={
            datum.symbol: (datum.ctype, _elements(program.constants[datum.digest]))
            for datum in program.data
            if datum.owner is None
        },
    )


def _includes(program: Program) -> list[str]:
    headers = {call.header for call in program.calls} | ({"stowage/core/kernel.h"} if program.states else set())
    own = [f"{program.name}.h", f"{program.name}_arena.h", f"{program.name}_weights.h", "stowage/poison.h"]
    return own + (["stowage/transfer.h"] if program.transfers else []) + sorted(headers)


def _further(program: Program, arena: PlannedArena) -> FurtherArena:
    """C has no array without elements."""
    size_bytes = max(1, arena.size_bytes)
    return FurtherArena(arena.name, arena.role, arena.region, program.alignment_bytes, size_bytes)


def _call(program: Program, call: Call) -> WrittenCall:
    pointers = tuple(_pointer(program, pointer) for pointer in call.pointers)
    bases = {pointer[2] for pointer in pointers if isinstance(pointer, tuple)}
    order = ["arena", *(f"arena_{each.name}" for each in program.further_arenas)]
    return WrittenCall(
        call.function,
        tuple((field, _value(value)) for field, value in call.parameters),
        pointers,
        call.may_fail,
        call.function == "stw_feed_rows",
        tuple(base for base in order if base in bases) or ("arena",),
    )


def _pointer(program: Program, pointer: ArenaPointer | DataPointer) -> Pointer:
    if not isinstance(pointer, ArenaPointer):
        return pointer.symbol
    base, offset_bytes = "arena", pointer.offset_bytes
    for each in program.further_arenas:
        if pointer.offset_bytes >= each.start_bytes:
            base, offset_bytes = f"arena_{each.name}", pointer.offset_bytes - each.start_bytes
    return pointer.ctype, pointer.access in (Access.READ, Access.STAGED), base, offset_bytes


def _value(value: ParameterValue) -> Number | tuple[Number, ...]:
    return tuple(map(_scalar, value)) if isinstance(value, tuple) else _scalar(value)


def _scalar(value: Number) -> Number:
    return float(np.float32(value)) if isinstance(value, float) else int(value)


def _elements(values: Array) -> tuple[Number, ...]:
    """An array without elements is one of a zero, since C has none."""
    return tuple(np.ravel(values).tolist()) if values.size else (0,)


def _ctype(dtype: DType) -> str:
    return _WHOLE.get(dtype, f"{'u' if dtype.name[0] == 'U' else ''}int{dtype.name.lstrip('UI')}_t")


def _run(program: Program) -> Iterator[Event]:
    for index, call in enumerate(program.calls):
        for number, each in enumerate(program.transfers):
            if each.start == index + 1:
                yield "start", number, each.offset_bytes, each.symbol, each.size_bytes
        for number, each in enumerate(program.transfers):
            if each.wait == index + 1:
                yield "wait", number
        yield "begin", index
        yield "fed call" if call.function == "stw_feed_rows" else "checked call" if call.may_fail else "call", index
        yield "end", index


def _slots(program: Program, arena: PlannedArena | None) -> Iterator[SlotRow]:
    """What is watched in a further arena, or in the main one."""
    start_bytes = arena.start_bytes if arena else 0
    for each in watched_slots(program):
        if program.arena_of(each.slot.offset_bytes) == arena:
            offset_bytes = each.slot.offset_bytes - start_bytes + each.begin_bytes
            yield offset_bytes, each.size_bytes, each.slot.first, each.last
    for other in program.share.foreign if program.share and arena is None else ():
        if other.is_kept:
            yield other.offset_bytes, other.size_bytes, 0, len(program.calls) + 1


def _port(port: Port) -> PortRow:
    type_ = port.value.type
    return port.identifier, f"STW_{type_.dtype.name}", port.offset_bytes, type_.elements, type_.size_bytes


def _described(program: Program) -> Iterator[tuple[str, str | int]]:
    yield "name", program.name
    yield "arena_bytes", program.arena_bytes
    yield "arena_alignment_bytes", program.alignment_bytes
    yield "steps", len(program.calls)
    tables: dict[str, Sequence[object]] = {
        "input": program.inputs,
        "output": program.outputs,
        "state": program.states,
        "slot": [*_slots(program, None)],
    }
    tables |= {"arena": program.further_arenas} if program.further_arenas else {}
    for kind, rows in tables.items():
        yield f"{kind}s", f"{program.name}_{kind}s" if rows else "NULL"
        yield f"{kind}_count", len(rows)
