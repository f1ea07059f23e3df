# SPDX-License-Identifier: Apache-2.0
"""Generated C on this machine: many models in one program, under sanitisers, with the poison watch in every second.

Each model runs in a process of its own, with its arena between AddressSanitizer's red zones. It runs each vector twice,
in arenas that held two different patterns before: an answer that depends on them comes from a byte never written.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stowage.ir.graph import Array
from stowage.pipeline import Compiled

RUNTIME = Path(__file__).absolute().parents[2] / "runtime"
_WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-Wstrict-prototypes", "-Werror")
_LANGUAGE = ("-std=c99", "-ffp-contract=off")
_SANITISERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_LEVELS = ("-O1", "-O2")

_MAIN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stowage/poison.h"
%(includes)s
static const struct {
    const struct stw_model *model;
    enum stw_status (*run)(void *arena);
} models[] = {
%(rows)s};

static int fed(const struct stw_model *model, unsigned char *arena)
{
    for (uint32_t i = 0; i < model->input_count; i++) {
        const struct stw_tensor *input = &model->inputs[i];
        if (fread(arena + input->offset_bytes, 1, input->size_bytes, stdin) != input->size_bytes) {
            return 0;
        }
    }
    return 1;
}

static void tell(const struct stw_model *model, const unsigned char *arena)
{
    for (uint32_t i = 0; i < model->output_count; i++) {
        const struct stw_tensor *output = &model->outputs[i];
        fwrite(arena + output->offset_bytes, 1, output->size_bytes, stdout);
    }
}

int main(int argc, char **argv)
{
    const int index = argc > 1 ? atoi(argv[1]) : 0;
    const struct stw_model *model = models[index].model;
    const int runs = argc > 2 ? atoi(argv[2]) : 0;
    void *arena = NULL;

    if (posix_memalign(&arena, model->arena_alignment_bytes, model->arena_bytes) != 0) {
        return 2;
    }
    for (int run = 0; run < runs; run++) {
        memset(arena, run %% 2 ? 0x5A : 0xA5, model->arena_bytes);
        if (!fed(model, arena)) {
            return 3;
        }
#ifdef STW_POISON
        stw_poison_prepare(model, arena);
#endif
        if (models[index].run(arena) != STW_OK) {
            return 4;
        }
        tell(model, arena);
    }
    free(arena);
#ifdef STW_POISON
    const struct stw_poison_report *report = stw_poison_report();
    if (report->stray_writes != 0u || report->clobbered_slots != 0u) {
        fprintf(stderr, "poison: %%u stray bytes, %%u clobbered buffers, first in step %%u at offset %%u\\n",
                report->stray_writes, report->clobbered_slots, report->first_step, report->first_offset);
        return 5;
    }
#endif
    return 0;
}
"""


class Broken(Exception):
    """The C does not compile without a warning, or its run was stopped, or went wrong."""


@dataclass(frozen=True, slots=True)
class Case:
    """A compiled model, and the inputs of each vector by name."""

    compiled: Compiled
    vectors: tuple[Mapping[str, Array], ...]


def build_and_run(cases: Sequence[Case], folder: Path, poison: bool) -> list[list[dict[str, Array]] | Broken]:
    """Each case's outputs, a mapping by name for each vector, or what is wrong with it."""
    results: list[list[dict[str, Array]] | Broken] = []
    objects: dict[int, list[str]] = {}
    for index, case in enumerate(cases):
        try:
            objects[index] = _compiled(case.compiled, folder, poison)
        except Broken as broken:
            results.append(broken)
        else:
            results.append([])
    program = _linked(
        [cases[index].compiled for index in objects],
        [file for files in objects.values() for file in files],
        folder,
        poison,
    )
    for place, index in enumerate(objects):
        try:
            results[index] = _run(program, place, cases[index])
        except Broken as broken:
            results[index] = broken
    return results


def _flags(poison: bool) -> list[str]:
    level = _LEVELS[poison]
    flags = [*_LANGUAGE, *_WARNINGS, *_SANITISERS, level, f"-I{RUNTIME / 'include'}"]
    return [*flags, "-DSTW_POISON"] if poison else flags


def _compiled(compiled: Compiled, folder: Path, poison: bool) -> list[str]:
    name = compiled.program.name
    for file, text in compiled.sources.items():
        (folder / file).write_text(text, encoding="utf-8")
    objects = []
    for unit in (name, f"{name}_weights"):
        objects.append(str(folder / f"{unit}.o"))
        _cc([*_flags(poison), "-c", str(folder / f"{unit}.c"), "-o", objects[-1]])
    return objects


def _linked(models: Sequence[Compiled], objects: list[str], folder: Path, poison: bool) -> str:
    names = [compiled.program.name for compiled in models]
    includes = "".join(f'#include "{name}.h"\n' for name in names)
    rows = "".join(f"    {{&{name}_model, {name}_run}},\n" for name in names)
    (folder / "main.c").write_text(_MAIN % {"includes": includes, "rows": rows}, encoding="utf-8")
    watch = [str(RUNTIME / "core" / "poison.c")] if poison else []
    program = str(folder / "main")
    posix = "-D_POSIX_C_SOURCE=200112L"
    _cc([*_flags(poison), posix, f"-I{folder}", str(folder / "main.c"), *watch, *objects, "-o", program])
    return program


def _cc(arguments: Sequence[str]) -> None:
    done = subprocess.run([os.environ.get("CC", "cc"), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Broken(done.stderr[:3000])


def _run(program: str, index: int, case: Case) -> list[dict[str, Array]]:
    inputs, outputs = case.compiled.program.inputs, case.compiled.program.outputs
    stream = b"".join(
        2 * b"".join(np.ascontiguousarray(vector[port.value.name]).tobytes() for port in inputs)
        for vector in case.vectors
    )
    command = [program, str(index), str(2 * len(case.vectors))]
    done = subprocess.run(command, input=stream, capture_output=True, check=False, timeout=600)
    if done.returncode:
        raise Broken(f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[:3000]}")
    size = sum(port.value.type.size_bytes for port in outputs)
    answers = [done.stdout[run * size : (run + 1) * size] for run in range(2 * len(case.vectors))]
    if answers[::2] != answers[1::2]:
        raise Broken("the outputs depend on what the arena held before")
    return [_decoded(case.compiled, answer) for answer in answers[::2]]


def _decoded(compiled: Compiled, answer: bytes) -> dict[str, Array]:
    result, at = {}, 0
    for port in compiled.program.outputs:
        type_ = port.value.type
        part = answer[at : at + type_.size_bytes]
        result[port.value.name] = np.frombuffer(part, type_.dtype.numpy).reshape(type_.shape)
        at += type_.size_bytes
    return result
