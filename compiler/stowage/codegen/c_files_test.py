# SPDX-License-Identifier: Apache-2.0
"""The generated C: as it is kept for reading, and compiled with every warning an error."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from stowage.codegen.c_compiler import compile_c
from stowage.codegen.files import c_files
from stowage.codegen.golden_model import GOLDENS, golden_files, golden_graph, golden_program, program_of
from stowage.codegen.validate import validate
from stowage.ir.graph import Graph, Node, Value

ROOT = Path(__file__).parents[3]
UPDATE = "run `./bazelw run //compiler/stowage/codegen:update_goldens` and look at what it changes"


def test_goldens_are_up_to_date() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / GOLDENS).iterdir()}
    assert kept == golden_files(), UPDATE


def test_the_golden_program_is_sound() -> None:
    validate(golden_program())


@pytest.mark.parametrize("options", [(), ("-DSTW_POISON",), ("-O3",)])
def test_it_compiles_without_a_warning(options: tuple[str, ...], tmp_path: Path) -> None:
    compile_c(tmp_path, golden_files(), "-c", *options)


@pytest.mark.parametrize("name", ["stowage_model", "stowage_poison", "stw", "stw_model", "size_t"])
def test_a_model_may_be_called_as_a_part_of_the_runtime_is(name: str, tmp_path: Path) -> None:
    compile_c(tmp_path, c_files(replace(golden_program(), name=name)), "-c", "-DSTW_POISON")


HOSTILE = [
    '*/ int x = "',
    "/* ?" + "?/ //",
    "int",
    "Int",
    "a/b:c;d\n#error",
    "\\",
    "input_serving_image_0",
    "run",
    "\u202e",
    "3/*/",
]


def renamed(graph: Graph, names: list[str]) -> Graph:
    """A graph whose values and nodes have other names."""
    values = dict.fromkeys(value.name for node in graph.nodes for value in (*node.inputs, *node.outputs))
    given = dict(zip(values, names, strict=False))

    def rename(each: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple(Value(given[value.name], value.type) for value in each)

    nodes = tuple(
        Node(name, node.op, rename(node.inputs), rename(node.outputs))
        for name, node in zip(names, graph.nodes, strict=False)
    )
    return replace(graph, inputs=rename(graph.inputs), outputs=rename(graph.outputs), nodes=nodes)


@pytest.mark.parametrize("shift", range(len(HOSTILE)))
def test_no_name_in_a_model_breaks_the_generated_c(shift: int, tmp_path: Path) -> None:
    files = c_files(program_of(renamed(golden_graph(), HOSTILE[shift:] + HOSTILE[:shift])))
    compile_c(tmp_path, files, "-c")
    assert all(line.isprintable() for file in files.values() for line in file.splitlines() if line)
    macros = re.findall(r"#define (\w+) \d+u", files["tiny.h"] + files["tiny_arena.h"])
    assert len(macros) == len(set(macros)) == 2 + 3 + 3 + 5  # arena, input, output, slots
