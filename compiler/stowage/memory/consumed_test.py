# SPDX-License-Identifier: Apache-2.0
"""What is made while a value is read row by row may lie over the rows that are read no more, and no others."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Relu
from stowage.ir.tensor_type import TensorType
from stowage.memory.lives import lives
from stowage.memory.planner import place
from stowage.schedule.schedule import Join, Schedule, Step, View
from stowage.target.kernels.kernel import KernelCall

ROW_BYTES, ROWS = 64, 8


def value(name: str, rows: int) -> Value:
    return Value(name, TensorType((rows, ROW_BYTES), DType.I8))


def step(source: Value, made: Value, scratch_bytes: int = 0) -> Step:
    call = KernelCall("any.h", "stw_any", (), (), scratch_bytes=(scratch_bytes,) if scratch_bytes else ())
    return Step(Node(made.name, Relu(), (source,), (made,)), call)


IMAGE, RESULT = value("image", ROWS), value("result", ROWS)
ROWS_OF_IMAGE = [value(f"row{index}", 1) for index in range(ROWS)]
PIECES = tuple(value(f"piece{index}", 1) for index in range(ROWS))
SCHEDULE = Schedule(
    name="rows",
    inputs=(IMAGE,),
    outputs=(RESULT,),
    steps=tuple(step(row, piece) for row, piece in zip(ROWS_OF_IMAGE, PIECES, strict=True)),
    views=tuple(View(row, IMAGE, index * ROW_BYTES) for index, row in enumerate(ROWS_OF_IMAGE)),
    constant_values=(),
    joins=(Join(RESULT, PIECES),),
    consumed=("image",),
)


def arena_bytes(schedule: Schedule) -> int:
    return place(lives(schedule)).peak_bytes


def test_a_result_grows_behind_what_is_read() -> None:
    assert arena_bytes(SCHEDULE) == (ROWS + 1) * ROW_BYTES


def test_only_what_the_schedule_says_is_consumed() -> None:
    assert arena_bytes(replace(SCHEDULE, consumed=())) == 2 * ROWS * ROW_BYTES


def test_rows_that_are_read_again_stay() -> None:
    again = (*SCHEDULE.steps[:-1], step(ROWS_OF_IMAGE[0], PIECES[-1]))
    assert arena_bytes(replace(SCHEDULE, steps=again)) == 2 * ROWS * ROW_BYTES


def test_an_output_stays() -> None:
    assert arena_bytes(replace(SCHEDULE, outputs=(RESULT, IMAGE))) == 2 * ROWS * ROW_BYTES


def test_scratch_lies_where_rows_were() -> None:
    late = step(ROWS_OF_IMAGE[6], PIECES[6], scratch_bytes=5 * ROW_BYTES)
    steps = (*SCHEDULE.steps[:6], late, SCHEDULE.steps[7])
    apart = replace(SCHEDULE, steps=steps, joins=(), outputs=(PIECES[7],))
    assert arena_bytes(apart) == (ROWS + 1) * ROW_BYTES
