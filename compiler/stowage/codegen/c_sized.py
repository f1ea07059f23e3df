# SPDX-License-Identifier: Apache-2.0
"""`<model>.h` and `<model>.c` of a model of several sizes: the manual of all sizes, and the entry that chooses."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.codegen.c_file import banner, comment, guarded, in_comment, includes
from stowage.codegen.c_header import CTYPES, arena_sizes, default_arena, describe, quant_macros
from stowage.codegen.c_source import arena_definition
from stowage.codegen.c_weights import shared_weights_files
from stowage.codegen.files import c_files
from stowage.codegen.identifiers import Names
from stowage.codegen.program import Port, Program, StatePort
from stowage.codegen.sized_program import SizedProgram, variant_of


def sized_files(sized: SizedProgram) -> dict[str, str]:
    """The generated C of a model and all its sizes by file name."""
    files = {f"{sized.name}.h": sized_header(sized), f"{sized.name}.c": sized_source(sized)}
    files |= shared_weights_files(sized.shared)
    for program in sized.programs:
        files |= c_files(program)
    return files


def sized_header(sized: SizedProgram) -> str:
    """The text of `<model>.h`."""
    first = sized.programs[0]
    parts = [
        "#include <stdint.h>\n\n" + includes(["stowage/model.h", *(f"{each.name}.h" for each in sized.programs)]),
        _manual(sized),
        "/* Bytes that the largest size needs, and the alignment of the first of them. */\n"
        + arena_sizes(sized.name, sized.arena_bytes, sized.alignment_bytes),
        default_arena(sized.name),
        *(_port(sized, kind, port) for kind, port in _ports(first)),
        *(_state(sized, state) for state in first.states),
        *([_reset(sized)] if first.states else []),
        _entry(sized),
    ]
    return banner(sized.name, "how to run it at each of its sizes") + guarded(
        f"{sized.name.upper()}_H", "\n".join(parts)
    )


def sized_source(sized: SizedProgram) -> str:
    """The text of `<model>.c`."""
    first = sized.programs[0]
    parts = [
        banner(sized.name, "its sizes") + includes([f"{sized.name}.h", "stowage/model.h"]),
        arena_definition(sized.name),
        *(_chosen(sized, _prototype(sized, kind, port), f"{kind}_{port.identifier}") for kind, port in _ports(first)),
        *([_reset_definition(sized)] if first.states else []),
        _model_definition(sized),
        _chosen(sized, _run_prototype(sized), "run", otherwise="STW_BAD_SIZE"),
    ]
    return "\n".join(parts)


def _manual(sized: SizedProgram) -> str:
    name, arguments = sized.name, "".join(f", {each}" for each in _arguments(sized))
    first = sized.programs[0]
    source = [
        f"    memcpy({name}_input_{port.identifier}({name}_arena{arguments}), data, bytes);"
        for port in first.inputs[:1]
    ]
    result = [
        f"    const {CTYPES[port.value.type.dtype]} *result = {name}_output_{port.identifier}({name}_arena{arguments});"
        for port in first.outputs[:1]
    ]
    return comment(
        [
            "It is planned for each of these sizes, and for no other:",
            "",
            *_table(sized),
            "",
            *(
                f'{argument} is the extent of dimension "{in_comment(dimension)}".'
                for argument, dimension in _said(sized)
            ),
            "How to run it, with the arena that comes with the model or any other of its alignment that has the bytes",
            "of the size:",
            "",
            *([f"    {name}_reset({name}_arena);    (once, before the first run)"] if first.states else []),
            *source,
            f"    if ({name}_run({name}_arena{arguments}) != STW_OK) {{ ... }}",
            *result,
            "",
            "At any other size there is no run, no input and no output: STW_BAD_SIZE and null pointers. Inputs and",
            "outputs of different sizes share bytes, and lie elsewhere in each: write and read them for the size that",
            "you run, before you write the inputs of the next run. The header of each size tells more of it.",
            *(["States are the same bytes for all sizes: a stream may go on at another."] if first.states else []),
        ]
    )


def _table(sized: SizedProgram) -> Iterator[str]:
    """A row a size: its extents, the bytes of its arena, the shapes of inputs and outputs, its header."""
    ports = [f"{kind} {port.identifier}" for kind, port in _ports(sized.programs[0])]
    rows = [[*_arguments(sized), "arena", *ports, "header"], *map(_row, sized.programs)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "    " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))


def _row(program: Program) -> list[str]:
    extents = [str(extent) for _, extent in variant_of(program).size]
    shapes = ["x".join(map(str, port.value.type.shape)) or "scalar" for _, port in _ports(program)]
    return [*extents, f"{program.arena_bytes:,} B", *shapes, f"{program.name}.h"]


def _port(sized: SizedProgram, kind: str, port: Port) -> str:
    macro = f"{sized.name}_{kind}_{port.identifier}".upper()
    return (
        f'/* The {kind} "{in_comment(port.value.name)}" at a size, or null where the model is not planned for it. */\n'
        + quant_macros(macro, port.value.type)
        + f"{_prototype(sized, kind, port)};\n"
    )


def _prototype(sized: SizedProgram, kind: str, port: Port) -> str:
    const = "const " if kind == "output" else ""
    ctype = CTYPES[port.value.type.dtype]
    return f"{const}{ctype} *{sized.name}_{kind}_{port.identifier}({const}void *arena, {_parameters(sized)})"


def _state(sized: SizedProgram, state: StatePort) -> str:
    """A state has its place whatever the size."""
    port, first = state.held, sized.programs[0].name
    ctype = CTYPES[port.value.type.dtype]
    return (
        f'/* The state "{in_comment(port.value.name)}": {describe(port.value.type)}. */\n'
        f"static inline {ctype} *{sized.name}_state_{port.identifier}(void *arena)\n{{\n"
        f"    return {first}_state_{port.identifier}(arena);\n}}\n"
    )


def _reset(sized: SizedProgram) -> str:
    return (
        "/* Begins a stream, at whatever sizes it will run: gives every element of every state its initial value.\n"
        " * STW_BAD_ARENA where the arena is null or misaligned. */\n"
        f"enum stw_status {sized.name}_reset(void *arena);\n\n"
        f"/* For code that serves any model: there is a {sized.name}_reset. */\n"
        f"#define {sized.name.upper()}_HAS_STATE 1\n"
    )


def _entry(sized: SizedProgram) -> str:
    return (
        "/* Names, types and places at a size as data, for code that serves any model; null where there is none. */\n"
        f"{_model_prototype(sized)};\n\n"
        "/* Computes the outputs from the inputs, both in the arena, at a size.\n"
        " * STW_BAD_SIZE where the model is not planned for it, before the arena is looked at; STW_BAD_ARENA where\n"
        " * that is null or misaligned. */\n"
        f"{_run_prototype(sized)};\n"
    )


def _run_prototype(sized: SizedProgram) -> str:
    return f"enum stw_status {sized.name}_run(void *arena, {_parameters(sized)})"


def _model_prototype(sized: SizedProgram) -> str:
    return f"const struct stw_model *{sized.name}_model_for({_parameters(sized)})"


def _reset_definition(sized: SizedProgram) -> str:
    """All sizes have their states in the same bytes."""
    return (
        f"enum stw_status {sized.name}_reset(void *arena)\n{{\n    return {sized.programs[0].name}_reset(arena);\n}}\n"
    )


def _model_definition(sized: SizedProgram) -> str:
    cases = "".join(_case(sized, program, f"&{program.name}_model") for program in sized.programs)
    return f"{_model_prototype(sized)}\n{{\n{cases}    return NULL;\n}}\n"


def _chosen(sized: SizedProgram, prototype: str, ending: str, otherwise: str = "NULL") -> str:
    """A function that calls that of the size."""
    cases = "".join(_case(sized, program, f"{program.name}_{ending}(arena)") for program in sized.programs)
    return f"{prototype}\n{{\n{cases}    return {otherwise};\n}}\n"


def _case(sized: SizedProgram, program: Program, result: str) -> str:
    extents = [extent for _, extent in variant_of(program).size]
    equal = [f"{argument} == {extent}u" for argument, extent in zip(_arguments(sized), extents, strict=True)]
    condition = " && ".join(f"({each})" if len(equal) > 1 else each for each in equal)
    return f"    if ({condition}) {{\n        return {result};\n    }}\n"


def _parameters(sized: SizedProgram) -> str:
    return ", ".join(f"uint32_t {argument}" for argument in _arguments(sized))


def _said(sized: SizedProgram) -> Iterator[tuple[str, str]]:
    return zip(_arguments(sized), sized.dimensions, strict=True)


def _arguments(sized: SizedProgram) -> list[str]:
    """C names of the extents; with their prefix they are no word of C and no other parameter."""
    names = Names()
    return [f"n_{names.of(dimension)}" for dimension in sized.dimensions]


def _ports(program: Program) -> Iterator[tuple[str, Port]]:
    yield from (("input", port) for port in program.inputs)
    yield from (("output", port) for port in program.outputs)
