# SPDX-License-Identifier: Apache-2.0
"""What a model with arenas in several regions has more in its C: arrays, arguments of its run, bases of pointers."""

from __future__ import annotations

from stowage.codegen.c_fed_input import SOURCE
from stowage.codegen.program import ArenaPointer, Call, Program
from stowage.memory.plan import FurtherArena

ARENA = "arena"
"""What a step's function calls the start of the main arena."""


def parameter_of(arena: FurtherArena) -> str:
    """What a run, and a step's function, call the start of a further arena."""
    return f"{ARENA}_{arena.name}"


def array_of(program: Program, arena: FurtherArena) -> str:
    """The C name of the further arena that the image has for the model."""
    return f"{program.name}_{parameter_of(arena)}"


def size_of(program: Program, arena: FurtherArena) -> str:
    """The macro with a further arena's bytes."""
    return f"{array_of(program, arena)}_bytes".upper()


def further_sizes(program: Program) -> str:
    """The size of each further arena and the declaration of its default one."""
    return "".join(_sizes(program, arena) for arena in program.further_arenas)


def _sizes(program: Program, arena: FurtherArena) -> str:
    size = size_of(program, arena)
    return (
        f"\n/* Bytes in region {arena.region} that a run needs beside the arena, aligned as that. */\n"
        f"#define {size} {max(1, arena.size_bytes)}u\n"
        "\n/* An arena there; it is in the image only if it is used. */\n"
        f"extern unsigned char {array_of(program, arena)}[{size}];\n"
    )


def further_definitions(program: Program) -> list[str]:
    """The default further arenas, in the sections that the board places."""
    return [_definition(program, arena) for arena in program.further_arenas]


def _definition(program: Program, arena: FurtherArena) -> str:
    place = f'"{arena.role}", "{arena.region}", "{program.name}", {program.name.upper()}_ARENA_ALIGNMENT_BYTES'
    return f"STW_ARENA_IN({place})\nunsigned char {array_of(program, arena)}[{size_of(program, arena)}];\n"


def run_parameters(program: Program) -> str:
    """The parameters of the function that runs the model."""
    arenas = [f"void *{name}" for name in (ARENA, *map(parameter_of, program.further_arenas))]
    return ", ".join(arenas if program.fed is None else [*arenas, SOURCE])


def run_arguments(program: Program, arena: str) -> str:
    """The arguments of a run in the model's own arenas."""
    arenas = [arena, *(array_of(program, each) for each in program.further_arenas)]
    return ", ".join(arenas if program.fed is None else [*arenas, "&source"])


def checked_further(program: Program) -> str:
    """What a run does with its further arguments."""
    return "".join(_checked(program, arena) for arena in program.further_arenas)


def _checked(program: Program, arena: FurtherArena) -> str:
    start, name = local_of(arena), parameter_of(arena)
    misaligned = f"((uintptr_t){start} % {program.name.upper()}_ARENA_ALIGNMENT_BYTES) != 0u"
    is_used = any(name in arenas_of(program, call) for call in program.calls)
    return (
        f"    unsigned char *{start} = {name};\n\n"
        f"    if ({start} == NULL || {misaligned}) {{\n        return STW_BAD_ARENA;\n    }}\n"
        + ("" if is_used else f"    (void){start};\n")
    )


def local_of(arena: FurtherArena) -> str:
    """What a run calls the bytes of a further arena."""
    return f"bytes_{arena.name}"


def base_of(program: Program, offset_bytes: int) -> str:
    """Which arena an offset is in, by the name of a parameter."""
    arena = program.arena_of(offset_bytes)
    return ARENA if arena is None else parameter_of(arena)


def arenas_of(program: Program, call: Call) -> list[str]:
    """The arenas that a step's function is given: those that it touches, or the main one where it touches none."""
    pointers = (pointer for pointer in call.pointers if isinstance(pointer, ArenaPointer))
    touched = {base_of(program, pointer.offset_bytes) for pointer in pointers}
    names = [ARENA, *map(parameter_of, program.further_arenas)]
    return [name for name in names if name in touched] or [ARENA]
