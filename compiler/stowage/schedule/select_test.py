# SPDX-License-Identifier: Apache-2.0
"""Every output has bytes of its own, copied where it would else share them."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Relu
from stowage.ir.ops.movement import Reshape
from stowage.ir.tensor_type import TensorType
from stowage.schedule.select import select


def value(name: str) -> Value:
    return Value(name, TensorType((4,), DType.F32))


X, Y, Z = value("x"), value("y"), value("z")


def steps(graph: Graph) -> list[str]:
    return [step.node.name for step in select(graph, frozenset()).steps]


def test_an_input_that_is_an_output_as_well_is_not_copied() -> None:
    nodes = (Node("r", Relu(), (X,), (Y,)), Node("same", Reshape((4,)), (X,), (Z,)))
    assert steps(Graph("m", (X,), (Y, X), nodes[:1])) == ["r"]
    assert steps(Graph("m", (X,), (Y, X, Z), nodes)) == ["r", "copy_z"]


def test_outputs_of_the_same_bytes() -> None:
    nodes = (Node("r", Relu(), (X,), (Y,)), Node("same", Reshape((4,)), (Y,), (Z,)))
    assert steps(Graph("m", (X,), (Y, Z), nodes)) == ["r", "copy_z"]
    assert steps(Graph("m", (X,), (Z,), nodes)) == ["r"]
