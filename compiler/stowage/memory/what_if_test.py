# SPDX-License-Identifier: Apache-2.0
"""What is said to help is planned anew, and only what helps is said."""

from __future__ import annotations

from itertools import pairwise

from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Relu
from stowage.ir.tensor_type import TensorType
from stowage.memory.lives import lives
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import place
from stowage.memory.what_if import what_would_help, without_peak
from stowage.schedule.schedule import Schedule, Step
from stowage.target.kernels.kernel import KernelCall, Overlap


def value(name: str, *shape: int, dtype: DType = DType.I8) -> Value:
    return Value(name, TensorType(shape, dtype))


def chain(*values: Value, overlaps: tuple[Overlap, ...] = ()) -> Plan:
    """A plan of steps that each make one value of the one before."""
    return planned(values[:1], *(((read,), made) for read, made in pairwise(values)), overlaps=overlaps)


def planned(
    inputs: tuple[Value, ...], *made: tuple[tuple[Value, ...], Value], overlaps: tuple[Overlap, ...] = ()
) -> Plan:
    """A plan of steps that each make a value of others."""
    call = KernelCall("h.h", "f", (), (), overlaps=overlaps)
    steps = tuple(Step(Node(f"make_{output.name}", Relu(), read, (output,)), call) for read, output in made)
    schedule = Schedule("m", inputs, (made[-1][1],), steps, (), ())
    problem = lives(schedule)
    placement = place(problem)
    places = zip(problem.buffers, placement.offsets_bytes, strict=True)
    placed = tuple(Placed(buffer, "sram", offset) for buffer, offset in places)
    return Plan(schedule, placed, placement.peak_bytes, 8, placement.bound_bytes)


def told(plan: Plan) -> dict[str, tuple[int, str]]:
    return {each.change: (each.arena_bytes, each.peak_step) for each in what_would_help(plan)}


def test_a_float_model_is_a_quarter_as_int8() -> None:
    floats = chain(*(value(name, size, dtype=DType.F32) for name, size in (("x", 100), ("a", 300), ("y", 10))))
    assert floats.arena_bytes == 1600
    assert told(floats)['quantize = "int8"'] == (404, "make_a")
    assert not any("quantize" in change for change in told(chain(value("x", 100), value("y", 10))))


def test_float_ports_of_an_integer_model_are_said_to_be_so() -> None:
    plan = chain(value("x", 100, dtype=DType.F32), value("a", 100), value("y", 40))
    assert plan.arena_bytes == 500
    assert told(plan)['int8 instead of float32 for "x"'] == (204, "make_a")


def test_floats_between_integers_are_said_to_be_so() -> None:
    plan = chain(value("x", 8), value("a", 100, dtype=DType.F32), value("b", 100, dtype=DType.F32), value("y", 8))
    assert plan.arena_bytes == 800
    assert told(plan)['int8 instead of float32 between quantised layers, for "a" and "b"'] == (204, "make_b")


def test_what_helps_little_is_not_said() -> None:
    """With the two tensors of the peak halved, three smaller ones need nearly as much."""
    inputs, s, a, b = tuple(value(name, 640) for name in "pqr"), value("s", 8), value("a", 968), value("b", 968)
    plan = planned(inputs, (inputs, s), ((s,), a), ((a,), b))
    assert plan.arena_bytes == 1936
    assert told(plan) == {}


def test_a_smaller_image_shrinks_images_alone() -> None:
    plan = chain(value("x", 1, 8, 8, 2), value("a", 1, 8, 8, 6), value("y", 1, 80))
    assert plan.arena_bytes == 128 + 384 and told(plan)["an input of half the height and half the width"] == (
        176,
        "make_y",
    )


def test_the_tensors_of_the_peak_are_halved_and_the_next_peak_is_named() -> None:
    plan = chain(value("x", 80), value("a", 80), value("b", 40), value("c", 72), value("y", 8))
    assert plan.arena_bytes == 160
    assert told(plan) == {'half the elements (channels, rows or columns) of "x" and "a"': (112, "make_c")}
    rest = without_peak(plan)
    assert (rest.arena_bytes, rest.peak_step) == (112, "make_c")


def test_what_lies_over_its_operand_still_does() -> None:
    plan = chain(value("x", 80), value("a", 80), value("y", 8), overlaps=(Overlap(0, 8),))
    assert plan.arena_bytes == 88
    assert told(plan) == {'half the elements (channels, rows or columns) of "x" and "a"': (48, "make_a")}


def test_what_does_not_help_is_not_said() -> None:
    assert told(chain(value("x", 1), value("y", 1))) == {}


def test_many_wide_tensors_are_counted() -> None:
    plan = chain(value("x", 80), value("a", 80), value("b", 80), value("y", 8))
    assert told(plan) == {
        "half the elements (channels, rows or columns) of all 3 tensors of 80 B or more": (80, "make_a")
    }
