# SPDX-License-Identifier: Apache-2.0
"""`<pool>.h` and `<pool>.c`: the arena of a pool, the manual of what stays in it, and the caller's buffers.

Beside them are `<pool>_weights.h` and `.c` with the constants that several of the models read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stowage.codegen.c_file import banner, comment, guarded, in_comment, includes
from stowage.codegen.c_header import arena_sizes, default_arena
from stowage.codegen.c_source import arena_definition
from stowage.codegen.c_weights import shared_weights_files
from stowage.codegen.files import c_files
from stowage.codegen.program import Program
from stowage.codegen.shared_data import SharedData
from stowage.memory.pool import PlacedCallerBuffer, PoolPlan


def pool_files(pool: PoolPlan, programs: Sequence[Program], shared: SharedData) -> dict[str, str]:
    """The generated C of a pool and its models by file name."""
    files = {f"{pool.name}.h": pool_header(pool, programs), f"{pool.name}.c": pool_source(pool)}
    files |= shared_weights_files(shared)
    for program in programs:
        files |= c_files(program)
    return files


def pool_header(pool: PoolPlan, programs: Sequence[Program]) -> str:
    """The text of `<pool>.h`."""
    parts = [
        "#include <stdint.h>\n\n" + includes(f"{each.name}.h" for each in programs),
        _manual(pool, programs),
        "/* Bytes of the arena, and the alignment of the first of them. */\n"
        + arena_sizes(pool.name, pool.arena_bytes, pool.alignment_bytes),
        default_arena(pool.name),
        *(_buffer(pool.name, placed) for placed in pool.buffers),
    ]
    return banner(pool.name, "several models in one arena") + guarded(f"{pool.name.upper()}_H", "\n".join(parts))


def pool_source(pool: PoolPlan) -> str:
    """The text of `<pool>.c`."""
    head = includes([f"{pool.name}.h", "stowage/model.h"])
    return "\n".join([banner(pool.name, "its arena") + head, arena_definition(pool.name)])


def _manual(pool: PoolPlan, programs: Sequence[Program]) -> str:
    first = programs[0].name
    return comment(
        [
            "One of these models runs at a time, in any order, each to its end:",
            "",
            *(f"    {program.name}_run({pool.name}_arena)" for program in programs),
            "",
            "States stay as they are while other models run; <model>_reset touches its own model's alone.",
            f"Write the inputs of a model just before its run, as {first}.h shows, and read its outputs before you",
            "write the inputs of another model: they share bytes.",
            *_said_of_buffers(pool),
            "",
            "What is where, in bytes:",
            "",
            *_rows(pool, programs),
        ]
    )


def _said_of_buffers(pool: PoolPlan) -> Iterator[str]:
    if any(placed.buffer.is_kept for placed in pool.buffers):
        yield "A buffer of the caller's stays as it is, whatever runs."
    if not all(placed.buffer.is_kept for placed in pool.buffers):
        yield "One for between runs shares no byte with inputs, outputs and states, but any run uses it up."


def _rows(pool: PoolPlan, programs: Sequence[Program]) -> Iterator[str]:
    """The arena's bytes by offset: what stays, and what is whose while it runs."""
    rows = [(p.offset_bytes, p.offset_bytes + p.buffer.size_bytes, p.buffer.title) for p in pool.buffers]
    for program in programs:
        for state in program.states:
            start = state.held.offset_bytes
            what = f'state "{in_comment(state.held.value.name)}" of {program.name}'
            rows.append((start, start + state.held.value.type.size_bytes, what))
    for plan in pool.plans:
        top = max((placed.end_bytes for placed in plan.placed), default=0)
        rows.append((pool.kept_bytes, max(top, pool.kept_bytes), f"{plan.schedule.name} while it runs"))
    for start, end, what in sorted(rows):
        yield f"    {start:>8} .. {end:>8}  {what}"


def _buffer(pool: str, placed: PlacedCallerBuffer) -> str:
    """Macros and a typed pointer."""
    buffer = placed.buffer
    macro = f"{pool}_buffer_{buffer.name}".upper()
    life = "It is yours at all times." if buffer.is_kept else "It is yours between runs, and any run uses it up."
    return (
        f"/* The caller's {buffer.name}: {buffer.ctype} {buffer.elements}. {life} */\n"
        f"#define {macro}_OFFSET {placed.offset_bytes}u\n"
        f"#define {macro}_ELEMENTS {buffer.elements}u\n"
        f"#define {macro}_BYTES {buffer.size_bytes}u\n\n"
        f"static inline {buffer.ctype} *{pool}_buffer_{buffer.name}(void *arena)\n{{\n"
        f"    return ({buffer.ctype} *)((unsigned char *)arena + {macro}_OFFSET);\n}}\n"
    )
