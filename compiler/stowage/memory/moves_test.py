# SPDX-License-Identifier: Apache-2.0
"""Moves are spared where that takes no more memory, and what may overlap a value that is made in parts."""

from __future__ import annotations

from hypothesis import given, settings

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Add, Relu
from stowage.ir.ops.movement import Concat, Slice
from stowage.ir.tensor_type import TensorType
from stowage.memory.lives import lives
from stowage.memory.moves import with_fewer_moves
from stowage.memory.problem import InPlace
from stowage.schedule.arbitrary_schedules import joined_schedules
from stowage.schedule.schedule import Join, Schedule, Step
from stowage.schedule.select import select
from stowage.target.kernels.kernel import Direction, KernelCall, Overlap


def value(name: str, *shape: int) -> Value:
    return Value(name, TensorType(shape, DType.I32))


def relu(source: Value, target: Value) -> Node:
    return Node(f"make_{target.name}", Relu(), (source,), (target,))


def names(schedule: Schedule) -> list[str]:
    return [step.node.name for step in schedule.steps]


X = value("x", 1, 8)
HEAD, TAIL = value("head", 1, 4), value("tail", 1, 4)


def test_slices_and_concats_that_cost_nothing_go() -> None:
    whole, a, b, y = value("whole", 1, 8), value("a", 1, 4), value("b", 1, 4), value("y", 1, 8)
    cuts = [Node(f"cut_{v.name}", Slice((0, at), (1, 4), (1, 1)), (whole,), (v,)) for v, at in ((HEAD, 0), (TAIL, 4))]
    made_of = (relu(HEAD, a), relu(TAIL, b), Node("concat", Concat(1), (a, b), (y,)))
    made = with_fewer_moves(select(Graph("m", (X,), (y,), (relu(X, whole), *cuts, *made_of)), frozenset()))
    assert names(made) == ["make_whole", "make_a", "make_b"]
    assert {view.value.name: view.offset_bytes for view in made.views} == {"head": 0, "tail": 16}


A, B, WHOLE, Y = (Value(name, TensorType((size,), DType.I8)) for name, size in zip("abwy", (8, 4, 12, 12), strict=True))
Z = Value("z", TensorType((16,), DType.I8))


def step(output: Value, *operands: Value, overlaps: tuple[Overlap, ...] = ()) -> Step:
    return Step(
        Node(f"make_{output.name}", Add(), operands, (output,)), KernelCall("h", "f", (), (), overlaps=overlaps)
    )


def test_a_slice_stays_where_all_that_it_is_taken_from_would_live_on() -> None:
    large, start, small, wide = (value(name, size) for name, size in zip("lscw", (64, 1, 1, 100), strict=True))
    cut = Step(Node("cut", Slice((3,), (1,), (1,)), (large,), (small,)), KernelCall("h", "f", (), ()))
    end = value("end", 1)
    at_once = Schedule("m", (large, start), (end,), (cut, step(end, start, small)), (), ())
    assert names(with_fewer_moves(at_once)) == ["make_end"]
    through_the_peak = Schedule("m", (large, start), (end,), (cut, step(wide, start), step(end, wide, small)), (), ())
    assert with_fewer_moves(through_the_peak) is through_the_peak


def in_place(*steps: Step, parts: tuple[Value, ...] = (A, B)) -> tuple[InPlace, ...]:
    schedule = Schedule("m", (Z,), (Y,), steps, (), (), joins=(Join(WHOLE, parts),))
    return tuple(pair for pair in lives(schedule).in_place if pair.input == "z")


FORWARD, BACKWARD = Overlap(0, 3), Overlap(0, 3, Direction.BACKWARD)


def test_a_part_over_its_operand_is_a_demand_on_the_whole() -> None:
    a, y = step(A, Z), step(Y, WHOLE)
    assert in_place(a, step(B, Z, overlaps=(FORWARD,)), y) == (InPlace("w", "z", 3 + 8),)
    assert in_place(a, step(B, Z, overlaps=(BACKWARD,)), y, parts=(B, A)) == (InPlace("w", "z", 3 + 8, forward=False),)


def test_the_operand_must_not_reach_into_parts_that_are_made() -> None:
    a, y = step(A, Z), step(Y, WHOLE)
    assert in_place(a, step(B, Z, overlaps=(BACKWARD,)), y) == ()
    assert in_place(a, step(B, Z, overlaps=(FORWARD,)), y, parts=(B, A)) == ()


def test_the_part_that_is_made_first_has_the_place_of_the_others_before_it() -> None:
    b, y = step(B, B), step(Y, WHOLE)
    assert in_place(step(A, Z, overlaps=(BACKWARD, FORWARD)), b, y) == (
        InPlace("w", "z", 3, forward=True),
        InPlace("w", "z", 3 + 4, forward=False),
    )


@settings(deadline=None)
@given(joined_schedules())
def test_a_whole_lives_from_its_first_part_to_the_last_reading(schedule: Schedule) -> None:
    buffers = {buffer.name: buffer for buffer in lives(schedule).buffers}
    for join in schedule.joins:
        parts = {part.name for part in join.parts}
        makers = [k for k, each in enumerate(schedule.steps, 1) for v in each.node.outputs if v.name in parts]
        assert not parts & buffers.keys()
        assert buffers[join.whole.name].first == min(makers)
        assert buffers[join.whole.name].last == len(schedule.steps) + 1
