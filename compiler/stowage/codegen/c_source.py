# SPDX-License-Identifier: Apache-2.0
"""`<model>.c`: straight calls, one small function a step (`c_steps.py`), and the entry that runs them in order."""

from __future__ import annotations

from stowage.codegen.c_file import banner, includes
from stowage.codegen.c_further_arenas import further_definitions, size_of
from stowage.codegen.c_header import CTYPES, arena_owner
from stowage.codegen.c_run import checked_arena, run_definition, transfer_headers
from stowage.codegen.c_steps import steps
from stowage.codegen.program import Port, Program, StatePort
from stowage.codegen.watched_slots import Watched, watched_slots
from stowage.ir.dtype import DType
from stowage.memory.share import Foreign

_ELEMENTS = {dtype: f"STW_{dtype.name}" for dtype in DType}


def model_source(program: Program) -> str:
    """The text of `<model>.c`."""
    main = tuple(each for each in watched_slots(program) if program.arena_of(each.slot.offset_bytes) is None)
    own = [f"{program.name}.h", f"{program.name}_arena.h", f"{program.name}_weights.h"]
    shared = {"stowage/core/kernel.h"} if program.states else set()
    kernels = sorted(shared | {call.header for call in program.calls})
    parts = [
        banner(program.name, "its steps"),
        includes([*own, "stowage/poison.h", *transfer_headers(program), *kernels]),
        *([arena_definition(program.name)] if arena_owner(program) == program.name else []),
        *further_definitions(program),
        *steps(program),
        _slots(program, main),
        *([_further(program)] if program.further_arenas else []),
        _descriptor(program, len(main)),
        *([_reset(program)] if program.states else []),
        run_definition(program),
    ]
    return "\n".join(parts)


def arena_definition(name: str) -> str:
    """The arena of a model or a pool, in the section that the board places."""
    upper = name.upper()
    return f'STW_ARENA("{name}", {upper}_ARENA_ALIGNMENT_BYTES)\nunsigned char {name}_arena[{upper}_ARENA_BYTES];\n'


def _slots(program: Program, watched: tuple[Watched, ...]) -> str:
    """The lives of all buffers, which the poison build checks; the linker drops them elsewhere.

    In a pool, what is another's and stays lives all along.
    """
    rows = "".join(map(_row, watched))
    end = len(program.calls) + 1
    rows += "".join(f"    {{{each.offset_bytes}u, {each.size_bytes}u, 0u, {end}u}},\n" for each in _others(program))
    return _slot_table(f"{program.name}_slots", rows)


def _slot_table(table: str, rows: str) -> str:
    return f"static const struct stw_slot {table}[] = {{\n{rows}}};\n" if rows else ""


def _further(program: Program) -> str:
    """The further arenas, each with the lives of the buffers in it."""
    tables, arenas = [], []
    for arena in program.further_arenas:
        table = f"{program.name}_slots_{arena.name}"
        watched = [each for each in watched_slots(program) if program.arena_of(each.slot.offset_bytes) == arena]
        tables.append(_slot_table(table, "".join(map(_row, watched))))
        slots = f"{table if watched else 'NULL'}, {len(watched)}u"
        arenas.append(f'    {{"{arena.name}", {size_of(program, arena)}, {slots}}},\n')
    listed = f"static const struct stw_arena {program.name}_arenas[] = {{\n{''.join(arenas)}}};\n"
    return "\n".join([*filter(None, tables), listed])


def _row(each: Watched) -> str:
    begin = f" + {each.begin_bytes}u" if each.begin_bytes else ""
    return f"    {{{each.slot.macro}{begin}, {each.size_bytes}u, {each.slot.first}u, {each.last}u}},\n"


def _others(program: Program) -> list[Foreign]:
    return [each for each in program.share.foreign if each.is_kept] if program.share else []


def _descriptor(program: Program, watched: int) -> str:
    name, upper = program.name, program.name.upper()
    return (
        _ports(program, "inputs", program.inputs)
        + _ports(program, "outputs", program.outputs)
        + _ports(program, "states", tuple(state.held for state in program.states))
        + f"const struct stw_model {name}_model = {{\n"
        + f'    .name = "{name}",\n'
        + f"    .arena_bytes = {upper}_ARENA_BYTES,\n"
        + f"    .arena_alignment_bytes = {upper}_ARENA_ALIGNMENT_BYTES,\n"
        + f"    .steps = {len(program.calls)}u,\n"
        + _table(name, "input", len(program.inputs))
        + _table(name, "output", len(program.outputs))
        + _table(name, "state", len(program.states))
        + _table(name, "slot", watched + len(_others(program)))
        + (_table(name, "arena", len(program.further_arenas)) if program.further_arenas else "")
        + "};\n"
    )


def _table(name: str, kind: str, rows: int) -> str:
    """C has no array without elements: a table without rows is a null pointer."""
    return f"    .{kind}s = {f'{name}_{kind}s' if rows else 'NULL'},\n    .{kind}_count = {rows}u,\n"


def _ports(program: Program, kind: str, ports: tuple[Port, ...]) -> str:
    rows = "".join(
        f'    {{"{port.identifier}", {_ELEMENTS[port.value.type.dtype]}, {port.offset_bytes}u, '
        f"{port.value.type.elements}u, {port.value.type.size_bytes}u}},\n"
        for port in ports
    )
    return f"static const struct stw_tensor {program.name}_{kind}[] = {{\n{rows}}};\n\n" if rows else ""


def _reset(program: Program) -> str:
    fillings = "".join(f"    {_filler(program, state)}(bytes);\n" for state in program.states)
    return (
        "".join(_filling(program, state) for state in program.states)
        + f"enum stw_status {program.name}_reset(void *arena)\n{{\n{checked_arena(program)}{fillings}"
        "    return STW_OK;\n}\n"
    )


def _filler(program: Program, state: StatePort) -> str:
    return f"{program.name}_fill_{state.held.identifier}"


def _filling(program: Program, state: StatePort) -> str:
    """A function that gives every element of a state its initial value.

    One for each, never inlined: GCC 12 takes the constants of a vectorised loop on the Cortex-M55 for shorter than they
    are, and lets a branch over several such loops fall short.
    """
    macro = f"{program.name}_state_{state.held.identifier}".upper()
    ctype = CTYPES[state.held.value.type.dtype]
    return (
        f"STW_SHARED void {_filler(program, state)}(unsigned char *bytes)\n{{\n"
        f"    for (uint32_t i = 0u; i < {macro}_ELEMENTS; i++) {{\n"
        f"        ({program.name}_state_{state.held.identifier}(bytes))[i] = ({ctype})({state.initial});\n"
        "    }\n}\n\n"
    )
