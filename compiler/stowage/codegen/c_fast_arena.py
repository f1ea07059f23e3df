# SPDX-License-Identifier: Apache-2.0
"""What a model with a fast arena has more in its C: an array, an argument of its run, another base of pointers."""

from __future__ import annotations

from stowage.codegen.c_fed_input import SOURCE
from stowage.codegen.program import ArenaPointer, Call, Program

ARENA, FAST = "arena", "fast"
"""What a step's function calls the start of either arena."""


def fast_sizes(program: Program) -> str:
    """The size of the fast arena and the declaration of the default one; nothing where there is none."""
    if program.fast is None:
        return ""
    upper = program.name.upper()
    return (
        "\n/* Bytes in fast memory that a run needs beside the arena, aligned as that. */\n"
        f"#define {upper}_ARENA_FAST_BYTES {max(1, program.fast.size_bytes)}u\n"
        "\n/* A fast arena in the board's region for these; it is in the image only if it is used. */\n"
        f"extern unsigned char {program.name}_arena_fast[{upper}_ARENA_FAST_BYTES];\n"
    )


def fast_definition(program: Program) -> str:
    """The default fast arena, in the section that the board places."""
    upper = program.name.upper()
    section = f'STW_ARENA_FAST("{program.name}", {upper}_ARENA_ALIGNMENT_BYTES)'
    return f"{section}\nunsigned char {program.name}_arena_fast[{upper}_ARENA_FAST_BYTES];\n"


def run_parameters(program: Program) -> str:
    """The parameters of the function that runs the model."""
    arenas = "void *arena" if program.fast is None else "void *arena, void *arena_fast"
    return arenas if program.fed is None else f"{arenas}, {SOURCE}"


def run_arguments(program: Program, arena: str) -> str:
    """The arguments of a run in the model's own arenas."""
    arenas = arena if program.fast is None else f"{arena}, {program.name}_arena_fast"
    return arenas if program.fed is None else f"{arenas}, &source"


def checked_fast(program: Program) -> str:
    """What a run does with its second argument."""
    if program.fast is None:
        return ""
    misaligned = f"((uintptr_t)fast % {program.name.upper()}_ARENA_ALIGNMENT_BYTES) != 0u"
    return (
        "    unsigned char *fast = arena_fast;\n\n"
        f"    if (fast == NULL || {misaligned}) {{\n        return STW_BAD_ARENA;\n    }}\n"
        + ("" if any(FAST in arenas_of(program, call) for call in program.calls) else "    (void)fast;\n")
    )


def base_of(program: Program, offset_bytes: int) -> str:
    """Which arena an offset is in."""
    return FAST if program.is_fast(offset_bytes) else ARENA


def arenas_of(program: Program, call: Call) -> list[str]:
    """The arenas that a step's function is given: those that it touches, or the main one where it touches none."""
    pointers = (pointer for pointer in call.pointers if isinstance(pointer, ArenaPointer))
    touched = {base_of(program, pointer.offset_bytes) for pointer in pointers}
    return [name for name in (ARENA, FAST) if name in touched] or [ARENA]
