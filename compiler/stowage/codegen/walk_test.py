# SPDX-License-Identifier: Apache-2.0
"""A kernel that can walk either way is told the way that its places ask for, and held to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stowage.codegen.assemble import assemble
from stowage.codegen.program import Program
from stowage.codegen.validate import validate
from stowage.errors import InvalidPlan
from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Add, Relu
from stowage.ir.tensor_type import TensorType
from stowage.memory.lives import lives
from stowage.memory.plan import Placed, Plan
from stowage.schedule.schedule import Schedule, Step
from stowage.target.kernels.call_parts import pointers
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, Overlap

X = Value("x", TensorType((16,), DType.I8))
Y = Value("y", TensorType((12,), DType.I8))
OVERLAPS = (Overlap(0, 4, Direction.FORWARD), Overlap(0, 6, Direction.BACKWARD))
EITHER_WAY = KernelCall("h.h", "f", (("count", 3), FORWARD), pointers(("int8_t",), "int8_t"), overlaps=OVERLAPS)


def program(input_at: int, output_at: int, call: KernelCall = EITHER_WAY) -> Program:
    """One step from `x` to `y` at these places."""
    schedule = Schedule("m", (X,), (Y,), (Step(Node("step", Relu(), (X,), (Y,)), call),), (), ())
    places = {"x": input_at, "y": output_at}
    placed = tuple(Placed(buffer, "ram", places[buffer.name]) for buffer in lives(schedule).buffers)
    return assemble(Plan(schedule, placed, max(each.end_bytes for each in placed), 8, 0))


@pytest.mark.parametrize(
    ("input_at", "output_at", "backward"),
    [(0, 16, 0), (12, 0, 0), (4, 0, 0), (8, 0, 0), (0, 10, 1), (0, 12, 1)],
    ids=["above", "below", "just below", "well below", "just above", "well above"],
)
def test_way_that_suits_the_places(input_at: int, output_at: int, backward: int) -> None:
    made = program(input_at, output_at)
    (call,) = made.calls
    assert call.parameters == (("count", 3), ("backward", backward))
    assert call.overlaps == (OVERLAPS[backward],)
    validate(made)


@pytest.mark.parametrize(("input_at", "output_at"), [(3, 0), (0, 0), (0, 9)])
def test_places_that_suit_neither_way_are_refused(input_at: int, output_at: int) -> None:
    with pytest.raises(InvalidPlan, match='"x" and "y" share bytes'):
        validate(program(input_at, output_at))


@pytest.mark.parametrize(("input_at", "output_at"), [(4, 0), (0, 10)])
def test_walking_the_other_way_is_refused(input_at: int, output_at: int) -> None:
    made = program(input_at, output_at)
    (call,) = made.calls
    (_, (name, backward)) = call.parameters
    turned = replace(call, parameters=(("count", 3), (name, 1 - int(str(backward)))), overlaps=OVERLAPS)
    with pytest.raises(InvalidPlan, match='"x" and "y" share bytes'):
        validate(replace(made, calls=(turned,)))


def test_a_kernel_that_walks_one_way_is_left_alone() -> None:
    fixed = replace(EITHER_WAY, parameters=(("count", 3),), overlaps=OVERLAPS[1:])
    (call,) = program(0, 10, fixed).calls
    assert (call.parameters, call.overlaps) == (fixed.parameters, fixed.overlaps)


B = Value("b", TensorType((4,), DType.I8))
SUM = KernelCall(
    "h.h",
    "f",
    (FORWARD,),
    pointers(("int8_t", "int8_t"), "int8_t"),
    overlaps=(*OVERLAPS, Overlap(1, 4, Direction.FORWARD), Overlap(1, 0, Direction.BACKWARD)),
)


def total(places: dict[str, int]) -> Program:
    """One step from `x` and `b` to `y` at these places."""
    schedule = Schedule("m", (X, B), (Y,), (Step(Node("step", Add(), (X, B), (Y,)), SUM),), (), ())
    placed = tuple(Placed(buffer, "ram", places[buffer.name]) for buffer in lives(schedule).buffers)
    return assemble(Plan(schedule, placed, max(each.end_bytes for each in placed), 8, 0))


@pytest.mark.parametrize(
    ("x", "b", "y", "backward"), [(4, 24, 0, 0), (24, 4, 0, 0), (24, 2, 0, 1), (0, 20, 12, 1), (0, 24, 12, 1)]
)
def test_the_way_suits_all_operands(x: int, b: int, y: int, backward: int) -> None:
    made = total({"x": x, "b": b, "y": y})
    (call,) = made.calls
    assert dict(call.parameters) == {"backward": backward}
    validate(made)


def test_no_way_suits_two_operands_that_want_different_ones() -> None:
    """Over x the walk has to be backward, over b forward."""
    with pytest.raises(InvalidPlan, match=r'"[xb]" and "y" share bytes'):
        validate(total({"x": 0, "b": 20, "y": 10}))
