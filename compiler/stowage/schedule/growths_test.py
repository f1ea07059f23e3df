# SPDX-License-Identifier: Apache-2.0
"""Concats that grow: by which operands, in which order of steps, and which concats are left as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Sigmoid
from stowage.ir.ops.movement import Concat
from stowage.ir.ops.op import Op
from stowage.ir.ops.window import AveragePool2d, MaxPool2d
from stowage.ir.tensor_type import TensorType
from stowage.schedule.growths import concat_as_growth
from stowage.schedule.schedule import Schedule
from stowage.schedule.select import select
from stowage.schedule.states import keep_states

POOL, MEAN = MaxPool2d((3, 3), pads=(1, 1, 1, 1)), AveragePool2d((3, 3), pads=(1, 1, 1, 1))


def value(name: str, channels: int) -> Value:
    return Value(name, TensorType((1, 4, 5, channels), DType.F32))


X, A, B, C = (value(name, 2) for name in "xabc")
WHOLE, PAIR, Y = value("whole", 6), value("pair", 4), value("y", 6)


def make(op: Op, source: Value, target: Value) -> Node:
    return Node(f"make_{target.name}", op, (source,), (target,))


def concat(whole: Value, *operands: Value) -> Node:
    return Node("concat", Concat(3), operands, (whole,))


def schedule(*nodes: Node, outputs: tuple[Value, ...]) -> Schedule:
    return select(Graph("m", (X,), outputs, nodes), frozenset())


def grown(made: Schedule) -> Schedule | None:
    index = next(index for index, step in enumerate(made.steps) if isinstance(step.node.op, Concat))
    return concat_as_growth(made, index)


def steps(made: Schedule | None) -> list[tuple[str, list[str], str]]:
    """Operator, operands and result of each step."""
    assert made is not None
    return [
        (step.node.op.mnemonic, [value.name for value in step.node.inputs], step.node.output.name)
        for step in made.steps
    ]


def test_a_concat_grows_by_each_of_its_layers() -> None:
    nodes = (make(POOL, X, A), make(MEAN, A, B), make(POOL, X, C), concat(WHOLE, B, A, C), make(POOL, WHOLE, Y))
    assert steps(grown(schedule(*nodes, outputs=(Y,)))) == [
        ("max_pool2d", ["x"], "a"),
        ("average_pool2d_beside", ["a", "a"], "whole.from0to1"),
        ("max_pool2d_beside", ["x", "whole.from0to1"], "whole"),
        ("max_pool2d", ["whole"], "y"),
    ]


def test_what_is_no_layer_comes_first() -> None:
    nodes = (make(POOL, X, A), make(Sigmoid(), X, B), concat(PAIR, A, B), make(POOL, PAIR, replace(Y, type=PAIR.type)))
    made = schedule(*nodes, outputs=(replace(Y, type=PAIR.type),))
    assert steps(grown(made))[:2] == [("sigmoid", ["x"], "b"), ("max_pool2d_beside", ["x", "b"], "pair")]


def test_a_state_does_not_wait() -> None:
    kept = value("kept", 2)
    nodes = (make(POOL, X, A), make(POOL, A, C), make(Sigmoid(), A, B), make(Sigmoid(), B, kept), concat(PAIR, C, B))
    late = schedule(*nodes, outputs=(PAIR, kept))
    assert [result for *_, result in steps(grown(late))] == ["a", "b", "pair", "kept"]
    assert grown(keep_states(late, {"x": "kept"})) is None


def test_what_is_there_already_is_gathered_first() -> None:
    nodes = (make(Sigmoid(), X, A), make(POOL, A, B), concat(WHOLE, X, A, B))
    assert steps(grown(schedule(*nodes, outputs=(WHOLE,)))) == [
        ("sigmoid", ["x"], "a"),
        ("concat", ["x", "a"], "whole.from0to1"),
        ("max_pool2d_beside", ["a", "whole.from0to1"], "whole"),
    ]


@pytest.mark.parametrize(
    ("nodes", "outputs"),
    [
        ((make(Sigmoid(), X, A), concat(PAIR, A, X)), (PAIR,)),
        ((make(POOL, X, A), concat(PAIR, A, X)), (PAIR, A)),
        ((make(POOL, X, A), make(POOL, A, B), concat(PAIR, A, X)), (PAIR, B)),
        ((make(POOL, X, A), concat(PAIR, A, A)), (PAIR,)),
        ((make(Sigmoid(), X, A), make(POOL, X, B), concat(WHOLE, X, B, A)), (WHOLE,)),
    ],
    ids=["no layer", "an output", "read elsewhere", "twice", "between"],
)
def test_concats_that_do_not_grow(nodes: tuple[Node, ...], outputs: tuple[Value, ...]) -> None:
    assert grown(schedule(*nodes, outputs=outputs)) is None


def test_only_channels_grow() -> None:
    tall = Value("tall", TensorType((1, 8, 5, 2), DType.F32))
    made = schedule(make(POOL, X, A), Node("concat", Concat(1), (A, X), (tall,)), outputs=(tall,))
    assert grown(made) is None
