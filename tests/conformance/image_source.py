# SPDX-License-Identifier: Apache-2.0
"""The C of many models as one translation unit, with the table and the arena that they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stowage.pipeline import Compiled

# Each file after those that it includes.
_ORDER = ("_arena.h", "_weights.h", ".h", "_weights.c", ".c")
_TABLE = """\
#line 1 "table"
#include "tests/conformance/image.h"

STW_ARENA("conformance", STW_CONFORMANCE_FENCE_BYTES)
unsigned char stw_conformance_arena[{arena_bytes}];

const uint32_t stw_conformance_arena_bytes = {arena_bytes};

const struct stw_conformance_case stw_conformance_cases[] = {{
{rows}}};

const uint32_t stw_conformance_case_count = {count};
"""
FENCE_BYTES = 64


def image_source(models: Sequence[Compiled]) -> str:
    """One C file that holds the models, their table in this order, and an arena for the largest between fences.

    Reading the kernels' headers once for all models makes compiling several times faster. Every model is still a run
    function and static data of its own; `#line` has the compiler speak of the files that a build would have.
    """
    names = [compiled.program.name for compiled in models]
    largest = max((compiled.program.arena_bytes for compiled in models), default=0)
    rows = "".join(f"    {{&{name}_model, {name}_run}},\n" for name in names)
    table = _TABLE.format(arena_bytes=_rounded(largest) + 2 * FENCE_BYTES, rows=rows, count=len(names))
    return "\n".join([*(text for compiled in models for text in _files(compiled)), table])


def _rounded(size_bytes: int) -> int:
    return -(-size_bytes // FENCE_BYTES) * FENCE_BYTES


def _files(compiled: Compiled) -> Iterator[str]:
    name = compiled.program.name
    for suffix in _ORDER:
        yield f'#line 1 "{name}{suffix}"\n{_without_own_includes(compiled.sources[name + suffix], name)}'


def _without_own_includes(text: str, name: str) -> str:
    """The same lines, those that include a file of the model itself empty."""
    own = f'#include "{name}'
    return "\n".join("" if line.startswith(own) else line for line in text.split("\n"))
