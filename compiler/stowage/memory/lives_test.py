# SPDX-License-Identifier: Apache-2.0
"""Lives of buffers, and which may be made over which."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings

from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Add
from stowage.ir.tensor_type import TensorType
from stowage.memory.lives import lives
from stowage.memory.problem import Buffer, InPlace
from stowage.schedule.arbitrary_schedules import schedules
from stowage.schedule.order_problem import order_problem
from stowage.schedule.schedule import Schedule, Step, View
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, Overlap

X, A, B, Y = (Value(name, TensorType((16,), DType.I8)) for name in "xaby")


def step(
    output: Value,
    *operands: Value,
    overlaps: tuple[Overlap, ...] = (),
    scratch: tuple[int, ...] = (),
    fields: tuple[tuple[str, int], ...] = (),
) -> Step:
    call = KernelCall("h.h", "f", fields, (), scratch_bytes=scratch, scratch_alignment_bytes=4, overlaps=overlaps)
    return Step(Node(f"make_{output.name}", Add(), operands, (output,)), call)


def schedule(*steps: Step, inputs: tuple[Value, ...] = (X,), views: tuple[View, ...] = ()) -> Schedule:
    return Schedule("m", inputs, (Y,), steps, views, ())


def spans(made: Schedule) -> dict[str, tuple[int, int]]:
    return {buffer.name: (buffer.first, buffer.last) for buffer in lives(made).buffers}


def test_lives_from_making_to_last_reading() -> None:
    assert spans(schedule(step(A, X), step(B, A), step(Y, A, B))) == {
        "x": (0, 1),
        "a": (1, 3),
        "b": (2, 3),
        "y": (3, 4),
    }


def test_an_input_that_no_step_reads_has_a_place_while_it_is_written() -> None:
    assert spans(schedule(step(Y, X), inputs=(X, A)))["a"] == (0, 0)


def test_a_result_that_no_step_reads_has_a_place_while_it_is_made() -> None:
    assert spans(schedule(step(A, X), step(Y, X)))["a"] == (1, 1)


def test_a_view_keeps_its_base_alive() -> None:
    flat = View(Value("flat", TensorType((4, 4), DType.I8)), A)
    made = schedule(step(A, X), step(B, X), step(Y, B, flat.value), views=(flat,))
    assert spans(made) == {"x": (0, 2), "a": (1, 3), "b": (2, 3), "y": (3, 4)}


def test_a_view_that_is_an_output_keeps_its_base_to_the_end() -> None:
    flat = View(Value("flat", TensorType((4, 4), DType.I8)), A)
    made = Schedule("m", (X,), (flat.value,), (step(A, X), step(B, X)), (flat,), ())
    assert spans(made)["a"] == (1, 3)


def test_scratch_lives_for_its_step() -> None:
    made = lives(schedule(step(A, X), step(Y, A, scratch=(10, 6))))
    assert made.buffers[-2:] == (Buffer("make_y.scratch0", 10, 4, 2, 2), Buffer("make_y.scratch1", 6, 4, 2, 2))


def test_constants_take_no_room() -> None:
    made = Schedule("m", (X,), (Y,), (step(Y, X, A, overlaps=(Overlap(1, 0),)),), (), ((A, "00"),))
    assert set(spans(made)) == {"x", "y"}
    assert not lives(made).in_place


def in_place(*steps: Step, views: tuple[View, ...] = ()) -> tuple[InPlace, ...]:
    return lives(schedule(*steps, views=views)).in_place


def test_in_place_needs_a_dying_operand() -> None:
    first = step(A, X, overlaps=(Overlap(0, 3),))
    assert in_place(first, step(Y, A)) == (InPlace("a", "x", 3),)
    assert in_place(first, step(Y, A, X)) == ()


def test_in_place_backward() -> None:
    assert in_place(step(Y, X, overlaps=(Overlap(0, 3, Direction.BACKWARD),))) == (InPlace("y", "x", 3, forward=False),)


BOTH_WAYS = tuple(
    Overlap(index, distances[way], direction)
    for index, distances in enumerate(((0, 10), (9, 3)))
    for way, direction in enumerate(Direction)
)


def test_a_kernel_that_walks_as_it_is_told_walks_one_way_for_all_that_dies() -> None:
    """Forward 16 and 7 bytes can be shared, backward 6 and 13."""
    told = step(Y, A, B, overlaps=BOTH_WAYS, fields=(FORWARD,))
    free = step(Y, A, B, overlaps=BOTH_WAYS)
    made = (step(A, X), step(B, X))
    assert in_place(*made, told) == (InPlace("y", "a", 0), InPlace("y", "b", 9))
    assert len(in_place(*made, free)) == 4
    swapped = step(Y, B, A, overlaps=(Overlap(0, 0), Overlap(1, 16), *BOTH_WAYS[1::2]), fields=(FORWARD,))
    assert in_place(*made, swapped) == (InPlace("y", "b", 10, False), InPlace("y", "a", 3, False))


def test_where_one_operand_dies_the_plan_chooses_the_way() -> None:
    told = step(Y, A, B, overlaps=BOTH_WAYS, fields=(FORWARD,))
    kept = Schedule("m", (X,), (Y, B), (step(A, X), step(B, X), told), (), ())
    assert lives(kept).in_place == (InPlace("y", "a", 0), InPlace("y", "a", 10, False))


def test_an_operand_read_twice_needs_both_overlaps_in_one_direction() -> None:
    forward, backward = Direction.FORWARD, Direction.BACKWARD
    assert in_place(step(Y, X, X, overlaps=(Overlap(0, 0),))) == ()
    assert in_place(step(Y, X, X, overlaps=(Overlap(0, 0, forward), Overlap(1, 0, backward)))) == ()
    assert in_place(step(Y, X, X, overlaps=(Overlap(0, 2), Overlap(1, 5)))) == (InPlace("y", "x", 5),)


def test_distances_count_from_the_base_of_a_view() -> None:
    part = View(Value("part", TensorType((6,), DType.I8)), X, 8)
    forward = step(Y, part.value, overlaps=(Overlap(0, 3),))
    assert in_place(forward, views=(part,)) == (InPlace("y", "x", 3 - 8),)
    backward = step(Y, part.value, overlaps=(Overlap(0, 3, Direction.BACKWARD),))
    assert in_place(backward, views=(part,)) == (InPlace("y", "x", 3 - 2, forward=False),)


def live_bytes(made: Schedule) -> Iterator[int]:
    """For every moment the bytes alive, without any savings."""
    for moment in range(len(made.steps) + 2):
        yield sum(buffer.size_bytes for buffer in lives(made).buffers if buffer.first <= moment <= buffer.last)


@settings(deadline=None)
@given(schedules())
def test_the_choice_of_order_counts_the_same_bytes(made: Schedule) -> None:
    steps = tuple(Step(each.node, drop_overlaps(each.call)) for each in made.steps)
    apart = Schedule(made.name, made.inputs, made.outputs, steps, made.views, made.constant_values)
    assert order_problem(apart).peak_bytes(range(len(steps))) == max(live_bytes(apart))


def drop_overlaps(call: KernelCall) -> KernelCall:
    return KernelCall(call.header, call.function, (), call.arguments, (), call.scratch_bytes)
