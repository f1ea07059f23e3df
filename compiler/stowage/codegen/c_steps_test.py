# SPDX-License-Identifier: Apache-2.0
"""Steps that differ in places alone share one function, which compiles and computes what each would."""

from __future__ import annotations

from pathlib import Path

from stowage.codegen.c_compiler import compile_c, output_of
from stowage.codegen.files import c_files
from stowage.codegen.golden_model import program_of
from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Add, Sub
from stowage.ir.tensor_type import TensorType

_MAIN = """
#include <stdio.h>
#include "sums.h"
int main(void)
{
    sums_input_x(sums_arena)[0] = 3.0f; sums_input_x(sums_arena)[1] = -1.0f;
    sums_input_y(sums_arena)[0] = 0.5f; sums_input_y(sums_arena)[1] = 4.0f;
    if (sums_run(sums_arena) != STW_OK) { return 1; }
    printf("%g %g", (double)sums_output_d(sums_arena)[0], (double)sums_output_d(sums_arena)[1]);
    return 0;
}
"""


def _graph() -> Graph:
    """d = (x + y) - ((x + y) + y), with a sum of two tensors of one type, twice."""
    x, y, first, second, d = (Value(name, TensorType((1, 2), DType.F32)) for name in ("x", "y", "a", "b", "d"))
    nodes = (
        Node("one", Add(), (x, y), (first,)),
        Node("two", Add(), (first, y), (second,)),
        Node("rest", Sub(), (first, second), (d,)),
    )
    return Graph("sums", (x, y), (d,), nodes)


def test_two_sums_are_one_kernel_and_a_difference_is_its_own() -> None:
    text = c_files(program_of(_graph()))["sums.c"]
    assert text.count("(&params") == 2
    assert text.count("sums_00_one_shared(") == 1 + 2
    assert "_rest_shared" not in text


def test_each_of_them_has_its_own_places(tmp_path: Path) -> None:
    program = compile_c(tmp_path, {**c_files(program_of(_graph())), "main.c": _MAIN})
    assert output_of(program) == b"-0.5 -4"
