# SPDX-License-Identifier: Apache-2.0
"""Program to C: the generated files by name."""

from __future__ import annotations

from stowage.codegen.c_arena import arena_header
from stowage.codegen.c_header import model_header
from stowage.codegen.c_source import model_source
from stowage.codegen.c_weights import weights_files
from stowage.codegen.program import Program


def c_files(program: Program) -> dict[str, str]:
    """File name to text, in the order in which a person would read them."""
    name = program.name
    return {
        f"{name}.h": model_header(program),
        f"{name}_arena.h": arena_header(program),
        f"{name}.c": model_source(program),
        **weights_files(program),
    }
