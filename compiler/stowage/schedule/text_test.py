# SPDX-License-Identifier: Apache-2.0
"""Dumps of schedules: they read back as they were, and a real MLIR parser reads them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Relu
from stowage.ir.tensor_type import TensorType
from stowage.ir.text.attributes import TextError
from stowage.schedule.arbitrary_schedules import prefetching_schedules, stateful_schedules
from stowage.schedule.schedule import Schedule, Step, View
from stowage.schedule.text import arrays_of, parse_schedule, print_schedule
from stowage.target.kernels.kernel import Argument, KernelCall, Overlap, Place


@settings(deadline=None)
@given(stateful_schedules() | prefetching_schedules())
def test_text_reads_back_as_the_same_schedule(schedule: Schedule) -> None:
    assert parse_schedule(print_schedule(schedule), arrays_of(schedule)) == schedule


@settings(deadline=None, max_examples=50)
@given(stateful_schedules() | prefetching_schedules())
def test_a_real_mlir_parser_reads_it(schedule: Schedule) -> None:
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    Parser(context, print_schedule(schedule)).parse_module()


X, Y = (Value(name, TensorType((2,), DType.I8)) for name in "xy")
FLAT = Value("flat", TensorType((1, 2), DType.I8))
CALL = KernelCall(
    header="stowage/kernels/relu_s8.h",
    function="stw_relu_s8",
    parameters=(("elements", 2), ("zero_points", (1, -1))),
    arguments=(Argument(Place.INPUT, 0, "int8_t"), Argument(Place.OUTPUT, 0, "int8_t")),
    scratch_bytes=(16,),
    overlaps=(Overlap(0, 0),),
)
SCHEDULE = Schedule("tiny", (X,), (FLAT,), (Step(Node("act", Relu(), (X,), (Y,)), CALL),), (View(FLAT, Y),), ())
TEXT = """\
"builtin.module"() ({
  "stowage.schedule"() ({
  ^bb0(%x: tensor<2xi8>):
    %y = "stowage.relu"(%x) {node = "act", call = {header = "stowage/kernels/relu_s8.h", function = "stw_relu_s8", \
arguments = [{place = "input", index = 0, ctype = "int8_t"}, {place = "output", index = 0, ctype = "int8_t"}], \
scratch_bytes = array<i64: 16>, scratch_alignment_bytes = 8, \
overlaps = [{input = 0, distance_bytes = 0, direction = "forward"}], \
parameters = {elements = 2, zero_points = array<i64: 1, -1>}, constants = []}} : (tensor<2xi8>) -> tensor<2xi8>
    %flat = "stowage.view"(%y) {offset_bytes = 0} : (tensor<2xi8>) -> tensor<1x2xi8>
    "stowage.return"(%flat) : (tensor<1x2xi8>) -> ()
  }) {name = "tiny"} : () -> ()
}) : () -> ()
"""


def test_text_is_what_a_reader_expects() -> None:
    assert print_schedule(SCHEDULE) == TEXT
    assert parse_schedule(TEXT) == SCHEDULE


def test_what_is_consumed_is_told() -> None:
    consuming = replace(SCHEDULE, consumed=("x",))
    assert 'consumed = ["x"]' in print_schedule(consuming)
    assert parse_schedule(print_schedule(consuming)) == consuming


WRONG = [
    (TEXT.replace("stowage.schedule", "stowage.graph"), "expected a stowage.schedule"),
    (TEXT.replace("stowage.return", "stowage.retire"), "ends in a stowage.return"),
    (TEXT.replace("call = {", "cull = {"), "stowage.relu has no call"),
    (TEXT.replace("constants = []", "count = 0"), "a call has the fields"),
    (
        TEXT.replace("constants = []", 'constants = [{role = "table", digest = "00"}]'),
        "the table of constants has no 00",
    ),
    (TEXT.replace("elements = 2", 'elements = "2"'), "'2' is no"),
    (TEXT.replace("offset_bytes = 0", "offset = 0"), "stowage.view has one operand"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_no_schedule_is_refused(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        parse_schedule(text)
