# SPDX-License-Identifier: Apache-2.0
"""Test support: what a program computes, as one token for each byte that the caller reads.

The token of a byte that a call writes is made of the call (function, parameters, what is under its pointers) and of all
that it finds there. Two programs compute the same, whatever the kernels are, if they leave the same tokens.
"""

from __future__ import annotations

from collections.abc import Mapping

from stowage.codegen.program import Access, ArenaPointer, Call, Datum, Pointer, Port, Program

Arena = dict[int, object]


def meaning(program: Program) -> tuple[object, ...]:
    """The tokens of the outputs and of the states, by their names."""
    arena: Arena = {}
    held = [state.held for state in program.states]
    for port in (*held, *program.inputs):
        for index in range(port.value.type.size_bytes):
            arena[port.offset_bytes + index] = (port.value.name, index)
    data = {datum.symbol: datum for datum in program.data}
    for moment, call in enumerate(program.calls, 1):
        for transfer in program.transfers:
            if transfer.wait == moment:
                for index in range(transfer.size_bytes):
                    arena[transfer.offset_bytes + index] = (data[transfer.symbol].digest, index)
        _run(call, arena, data)
    outputs = [
        (port.value.name, _found(port.offset_bytes, port.value.type.size_bytes, arena)) for port in _left(program)
    ]
    begins = [(state.held.value.name, state.held.offset_bytes == state.kept.offset_bytes) for state in program.states]
    return tuple(outputs), tuple(begins)


def _left(program: Program) -> list[Port]:
    return [*program.outputs, *(state.kept for state in program.states)]


def _found(offset_bytes: int, size_bytes: int, arena: Arena) -> tuple[object, ...]:
    return tuple(arena.get(offset_bytes + index) for index in range(size_bytes))


def _run(call: Call, arena: Arena, data: Mapping[str, Datum]) -> None:
    """Walking the other way computes the same."""
    parameters = tuple(each for each in call.parameters if each[0] != "backward")
    token = hash((call.function, parameters, tuple(_seen(pointer, arena, data) for pointer in call.pointers)))
    for access in (Access.SCRATCH, Access.WRITE):
        for pointer in call.pointers:
            if isinstance(pointer, ArenaPointer) and pointer.access is access:
                for index in range(pointer.size_bytes):
                    arena[pointer.offset_bytes + index] = (token, access, pointer.operand, index)


def _seen(pointer: Pointer, arena: Arena, data: Mapping[str, Datum]) -> object:
    if not isinstance(pointer, ArenaPointer):
        return data[pointer.symbol].digest
    told = (pointer.access, pointer.operand, pointer.size_bytes, pointer.ctype)
    read = pointer.access in (Access.READ, Access.STAGED)
    return (*told, _found(pointer.offset_bytes, pointer.size_bytes, arena) if read else ())
