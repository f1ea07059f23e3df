# SPDX-License-Identifier: Apache-2.0
"""Every output has bytes of its own, copied where it would else share them."""

from __future__ import annotations

import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Relu
from stowage.ir.ops.movement import Reshape
from stowage.ir.tensor_type import TensorType
from stowage.schedule.select import select


def value(name: str) -> Value:
    return Value(name, TensorType((4,), DType.F32))


X, Y, Z, W = value("x"), value("y"), value("z"), value("w")


def chosen(*nodes: Node, outputs: tuple[Value, ...]) -> tuple[list[str], dict[str, str]]:
    """The nodes that became steps, and the views with their bases."""
    schedule = select(Graph("m", (X,), outputs, nodes), frozenset())
    views = {view.value.name: view.base.name for view in schedule.views}
    return [step.node.name for step in schedule.steps], views


RELU = Node("relu", Relu(), (X,), (Y,))


def same(source: Value, target: Value) -> Node:
    return Node(f"same_{target.name}", Reshape((4,)), (source,), (target,))


def test_an_input_that_is_an_output_as_well_is_not_copied() -> None:
    assert chosen(RELU, outputs=(Y, X)) == (["relu"], {})


def test_another_output_that_is_an_input_is_a_copy() -> None:
    assert chosen(RELU, same(X, Z), outputs=(Y, X, Z)) == (["relu", "same_z"], {})


def test_who_reads_an_output_that_is_an_input_reads_the_copy() -> None:
    assert chosen(same(X, Z), Node("relu", Relu(), (Z,), (Y,)), outputs=(Y, Z)) == (["same_z", "relu"], {})


@pytest.mark.parametrize("outputs", [(Y, Z), (Z, Y)])
def test_of_two_outputs_with_the_same_bytes_the_later_one_is_a_copy(outputs: tuple[Value, ...]) -> None:
    assert chosen(RELU, same(Y, Z), outputs=outputs) == (["relu", "same_z"], {})


def test_two_outputs_that_are_views_of_a_third_value() -> None:
    nodes = (RELU, same(Y, Z), same(Z, W))
    assert chosen(*nodes, outputs=(W, Z)) == (["relu", "same_w"], {"z": "y"})
    assert chosen(*nodes, outputs=(W,)) == (["relu"], {"z": "y", "w": "y"})
