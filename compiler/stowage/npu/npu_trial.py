# SPDX-License-Identifier: Apache-2.0
"""Test support: NPUs of some sizes, and graphs compiled for them and run on the model in C, under sanitizers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from stowage.codegen.assemble import assemble
from stowage.codegen.c_compiler import compile_c, output_of
from stowage.codegen.faithful import check_faithful
from stowage.codegen.files import c_files
from stowage.codegen.validate import validate
from stowage.ir.graph import Array, Graph
from stowage.memory.planning import plan_memory
from stowage.npu.layer import Layer
from stowage.npu.partition import on_npu, parts_of
from stowage.npu.segment import Segment, step_of
from stowage.schedule.order import in_best_order
from stowage.schedule.schedule import Schedule, Step
from stowage.schedule.select import select
from stowage.target.board import Npu
from stowage.target.board_header import npu_lines
from stowage.target.find_board import find_board
from stowage.target.kernels.kernel import KernelConstant
from stowage.target.npu_reader import COMMAND_FORMAT, NPU_OPERATORS

ROOT = Path(__file__).absolute().parents[3]
NPU_C = [*sorted((ROOT / "hal/npu/model").glob("*.c")), ROOT / "hal/npu/driver.c", ROOT / "hal/npu/host/port_model.c"]

LARGE = Npu("large", 1, 256, 8, NPU_OPERATORS, COMMAND_FORMAT, 65536, 8, 4, 8, 64, 8)
SMALL = Npu("small", 1, 8, 4, NPU_OPERATORS, COMMAND_FORMAT, 512, 2, 2, 2, 4, 2)
"""Of so little memory that small layers run in stripes and blocks."""

_OPTIONS = ["-O1", f"-I{ROOT}", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def scheduled_on(graph: Graph, npu: Npu) -> Schedule:
    """The steps of a graph on a board with such an NPU."""
    return in_best_order(on_npu(select(graph, frozenset()), graph.arithmetic, npu))


def segments_on(graph: Graph, npu: Npu) -> list[tuple[Step, tuple[Layer, ...]]]:
    """The segments of a graph, each with the layers that its stream has to compute."""
    parts = parts_of(select(graph, frozenset()), graph.arithmetic, npu)
    segments = [part for part in parts if isinstance(part, Segment)]
    return [(step_of(each, npu), tuple(layer for m in each.members for layer in m.layers)) for each in segments]


def words_of_step(step: Step) -> list[int]:
    """The stream of a segment."""
    return [int(word) for word in step.call.constants[0].array]


def with_words(step: Step, words: Sequence[int]) -> Step:
    """A segment with another stream, whose length is told as it is."""
    stream = np.array([*words[:2], len(words), *words[3:]], np.uint32)
    return replace(
        step, call=replace(step.call, constants=(KernelConstant("commands", stream), step.call.constants[1]))
    )


def commands_in(words: Sequence[int]) -> list[int]:
    """Where the commands of a stream begin."""
    places, at = [], 6
    while at < len(words):
        places.append(at)
        at += words[at] >> 16
    return places


def sources_of(schedule: Schedule) -> dict[str, str]:
    """The C of a schedule, proved as the compiler proves it."""
    target = replace(find_board("host"), npu=LARGE)
    plan = plan_memory(schedule, target)
    program = assemble(plan)
    validate(program)
    check_faithful(program, plan.schedule)
    return dict(c_files(program))


def run_models(
    folder: Path, schedules: Sequence[Schedule], inputs: Sequence[Mapping[str, Array]], npu: Npu
) -> list[list[Array]]:
    """The outputs of models of different names, all in one program."""
    files = {"stw_board.h": "\n".join(npu_lines(npu)) + "\n"}
    for schedule in schedules:
        files |= sources_of(schedule)
    files["main.c"] = _main(schedules, inputs)
    program = compile_c(folder, files, *_OPTIONS, f"-I{folder}", *map(str, NPU_C))
    lines = iter(output_of(program).decode().split())
    return [
        [
            np.array([int(next(lines)) for _ in range(value.type.elements)]).astype(np.int8).reshape(value.type.shape)
            for value in schedule.outputs
        ]
        for schedule in schedules
    ]


def _main(schedules: Sequence[Schedule], inputs: Sequence[Mapping[str, Array]]) -> str:
    headers = "".join(f'#include "{schedule.name}.h"\n' for schedule in schedules)
    runs = "\n".join(_run(schedule, given) for schedule, given in zip(schedules, inputs, strict=True))
    return (
        f"#include <stdio.h>\n#include <string.h>\n{headers}"
        "static void show(const struct stw_model *model, const unsigned char *arena)\n{\n"
        "    for (uint32_t i = 0; i < model->output_count; i++) {\n"
        "        const signed char *at = (const signed char *)arena + model->outputs[i].offset_bytes;\n"
        '        for (uint32_t k = 0; k < model->outputs[i].elements; k++) {\n            printf("%d ", at[k]);\n'
        "        }\n    }\n}\n"
        f"int main(void)\n{{\n{runs}    return 0;\n}}\n"
    )


def _run(schedule: Schedule, given: Mapping[str, Array]) -> str:
    name, lines = schedule.name, []
    for index, value in enumerate(schedule.inputs):
        elements = ", ".join(map(str, given[value.name].ravel().tolist()))
        lines.append(f"    {{ static const signed char data[] = {{{elements}}};")
        lines.append(f"    memcpy({name}_arena + {name}_model.inputs[{index}].offset_bytes, data, sizeof data); }}")
    lines.append(f"    if ({name}_run({name}_arena) != STW_OK) {{ return 2; }}")
    lines.append(f"    show(&{name}_model, {name}_arena);\n")
    return "\n".join(lines)
