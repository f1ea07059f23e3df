# SPDX-License-Identifier: Apache-2.0
"""Concats and slices that need no step: which ones, and what becomes of the values around them."""

from __future__ import annotations

import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Relu
from stowage.ir.ops.movement import Concat, Reshape, Slice
from stowage.ir.tensor_type import TensorType
from stowage.schedule.joins import concat_as_join
from stowage.schedule.schedule import Join, Schedule, View, storage
from stowage.schedule.select import select
from stowage.schedule.slices import slice_as_view
from stowage.schedule.states import keep_states


def value(name: str, *shape: int) -> Value:
    return Value(name, TensorType(shape, DType.F32))


X = value("x", 1, 2, 3)
A, B = value("a", 1, 2, 3), value("b", 1, 2, 3)
WHOLE, Y = value("whole", 1, 4, 3), value("y", 1, 4, 3)


def relu(source: Value, target: Value) -> Node:
    return Node(f"make_{target.name}", Relu(), (source,), (target,))


def concat(*operands: Value, axis: int = 1, whole: Value = WHOLE) -> Node:
    return Node("concat", Concat(axis), operands, (whole,))


def schedule(*nodes: Node, outputs: tuple[Value, ...] = (Y,)) -> Schedule:
    return select(Graph("m", (X,), outputs, nodes), frozenset())


def joined(made: Schedule) -> Schedule | None:
    index = next(index for index, step in enumerate(made.steps) if isinstance(step.node.op, Concat))
    return concat_as_join(made, index)


def names(made: Schedule) -> list[str]:
    return [step.node.name for step in made.steps]


def test_operands_are_made_in_their_places() -> None:
    made = joined(schedule(relu(X, A), relu(A, B), concat(A, B), relu(WHOLE, Y)))
    assert made is not None
    assert made.joins == (Join(WHOLE, (A, B)),)
    assert names(made) == ["make_a", "make_b", "make_y"]
    assert storage(made) == {"a": View(A, WHOLE, 0), "b": View(B, WHOLE, 24)}


def test_views_of_parts_lie_in_the_whole() -> None:
    flat = value("flat", 1, 6)
    made = joined(schedule(relu(X, A), relu(X, B), concat(A, B), Node("f", Reshape((1, 6)), (B,), (flat,))))
    assert made is not None
    assert storage(made)["flat"] == View(flat, WHOLE, 24)


def test_an_operand_that_is_another_shape_of_a_part_is_that_part() -> None:
    flat = value("flat", 6)
    tall = value("tall", 12)
    nodes = (relu(X, A), relu(X, B), *(Node(f"f{v.name}", Reshape((6,)), (v,), (f,)) for v, f in ((A, flat),)))
    second = value("second", 6)
    made = joined(
        schedule(*nodes, Node("fb", Reshape((6,)), (B,), (second,)), concat(flat, second, axis=0, whole=tall))
    )
    assert made is not None
    assert made.joins == (Join(tall, (A, B)),)


@pytest.mark.parametrize(
    ("operands", "outputs"),
    [((A, X), (Y,)), ((A, A), (Y,)), ((A, B), (Y, B))],
    ids=["an input", "the same once more", "an output"],
)
def test_what_cannot_be_made_in_its_place_is_copied(operands: tuple[Value, ...], outputs: tuple[Value, ...]) -> None:
    made = joined(schedule(relu(X, A), relu(X, B), concat(*operands), relu(WHOLE, Y), outputs=outputs))
    if operands == (A, A):
        assert made is None
        return
    assert made is not None
    (join,) = made.joins
    assert [part.name for part in join.parts] == ["a", "whole.part1"]
    assert names(made) == ["make_a", "make_b", "whole.part1", "make_y"]


def test_a_part_belongs_to_one_whole() -> None:
    other = value("other", 1, 4, 3)
    made = joined(schedule(relu(X, A), relu(X, B), concat(A, B), concat(B, A, whole=other)))
    assert made is not None
    assert joined(made) is None


@pytest.mark.parametrize("axis", [0, 2])
def test_rows_are_side_by_side_on_the_outermost_axis_alone(axis: int) -> None:
    """On axis 0, of extent 1 in each operand, they are as well."""
    shape = [1, 2, 3]
    shape[axis] *= 2
    whole = value("whole", *shape)
    made = joined(schedule(relu(X, A), relu(X, B), concat(A, B, axis=axis, whole=whole), outputs=(whole,)))
    assert (made is not None) == (axis == 0)


def cut(begins: tuple[int, ...], shape: tuple[int, ...], source: Value = A, steps: tuple[int, ...] = ()) -> Node:
    return Node("cut", Slice(begins, shape, steps or (1,) * len(shape)), (source,), (value("cut", *shape),))


CUBE = value("cube", 2, 4, 3)
CUTS = [
    (cut((1, 0, 0), (1, 4, 3), CUBE), 12),
    (cut((1, 2, 0), (1, 2, 3), CUBE), 18),
    (cut((1, 2, 1), (1, 1, 2), CUBE), 19),
    (cut((0, 3, 2), (1, 1, 1), CUBE, (1, 2, -1)), 11),
]
SCATTERED = [
    cut((0, 1, 0), (2, 2, 3), CUBE),
    cut((0, 0, 0), (1, 2, 2), CUBE),
    cut((0, 0, 0), (1, 2, 3), CUBE, (1, 2, 1)),
    cut((1, 0, 0), (2, 4, 3), CUBE, (-1, 1, 1)),
]


def sliced(node: Node, *, outputs: tuple[Value, ...] = (), states: dict[str, str] | None = None) -> Schedule | None:
    start = value("start", 2, 4, 3)
    end = value("end", *node.output.type.shape)
    graph = Graph("m", (start,), outputs or (end,), (relu(start, CUBE), node, relu(node.output, end)))
    made = keep_states(select(graph, frozenset()), states or {})
    return slice_as_view(made, names(made).index("cut"))


@pytest.mark.parametrize(("node", "begin"), CUTS)
def test_consecutive_elements_are_a_view(node: Node, begin: int) -> None:
    made = sliced(node)
    assert made is not None
    assert made.views == (View(node.output, CUBE, 4 * begin),)
    assert names(made) == ["make_cube", "make_end"]


@pytest.mark.parametrize("node", SCATTERED)
def test_others_are_not(node: Node) -> None:
    assert sliced(node) is None


def test_a_slice_that_is_an_output_has_bytes_that_no_other_output_has() -> None:
    node = CUTS[0][0]
    made = sliced(node, outputs=(node.output,))
    assert made is not None
    assert made.views == (View(node.output, CUBE, 48),)
    assert sliced(node, outputs=(node.output, CUBE)) is None


def test_what_a_state_holds_is_copied_and_so_is_what_it_keeps() -> None:
    start, held, kept = value("start", 2, 4, 3), value("cut", 1, 4, 3), value("kept", 2, 4, 3)
    node = Node("cut", Slice((1, 0, 0), (1, 4, 3), (1, 1, 1)), (start,), (held,))
    made = keep_states(
        select(Graph("m", (start,), (held, kept), (node, relu(start, kept))), frozenset()), {"start": "kept"}
    )
    assert slice_as_view(made, names(made).index("cut")) is None
    source = value("source", 1, 4, 3)
    nodes = (relu(source, value("read", 1, 4, 3)), relu(start, CUBE), CUTS[0][0])
    graph = Graph("m", (start, source), (CUTS[0][0].output,), nodes)
    states = keep_states(select(graph, frozenset()), {"source": "cut"})
    assert slice_as_view(states, names(states).index("cut")) is None


def test_a_slice_stays_where_a_state_keeps_it_in_another_shape() -> None:
    """As an LSTM's last row, which is its next hidden state."""
    source, flat = value("source", 12), value("flat", 12)
    cut = CUTS[0][0]
    nodes = (relu(source, value("read", 12)), relu(X, CUBE), cut, Node("f", Reshape((12,)), (cut.output,), (flat,)))
    states = keep_states(select(Graph("m", (X, source), (flat,), nodes), frozenset()), {"source": "flat"})
    assert [state.kept for state in states.states] == [flat]
    assert slice_as_view(states, names(states).index("cut")) is None


def test_views_of_a_slice_are_views_of_what_it_slices() -> None:
    node, flat = CUTS[1][0], value("flat", 6)
    graph = Graph(
        "m",
        (X, CUBE),
        (value("end", 6),),
        (node, Node("f", Reshape((6,)), (node.output,), (flat,)), relu(flat, value("end", 6))),
    )
    made = slice_as_view(select(graph, frozenset()), 0)
    assert made is not None
    assert {view.value.name: (view.base.name, view.offset_bytes) for view in made.views} == {
        "cut": ("cube", 72),
        "flat": ("cube", 72),
    }
