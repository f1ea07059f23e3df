# SPDX-License-Identifier: Apache-2.0
"""The builder: names, moved constants, outputs."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic
from stowage.ir.ops.elementwise import Add, Dequantize, Relu
from stowage.ir.ops.movement import Constant, Reshape, Transpose
from stowage.ir.ops.op import ShapeError
from stowage.ir.tensor_type import Quant, TensorType
from stowage.ir.verify import verify

PAIR = TensorType((2,), DType.F32)


def test_names_are_made_unique() -> None:
    builder = GraphBuilder("g", reserved=["y"])
    x = builder.input("x", PAIR)
    values = [builder.add(Relu(), (x,), node="n", value=name) for name in ("a", "a", "y", "a.1")]
    assert [value.name for value in values] == ["a", "a.1", "y.1", "a.1.1"]
    graph = builder.finish([(value.name, value) for value in values], Arithmetic.ONNX)
    assert [node.name for node in graph.nodes] == ["n", "n.1", "n.2", "n.3"]


def test_equal_constants_are_kept_once() -> None:
    builder = GraphBuilder("g")
    x = builder.input("x", PAIR)
    first, second = (builder.constant(name, np.ones(2, np.float32)) for name in ("k", "l"))
    total = builder.add(Add(), (x, first), node="a", value="a")
    total = builder.add(Add(), (total, second), node="b", value="b")
    graph = builder.finish([("b", total)], Arithmetic.ONNX)
    verify(graph, "the test")
    assert len(graph.constants) == 1
    assert len(graph.nodes) == 4


def test_a_scalar_constant_stays_one() -> None:
    builder = GraphBuilder("g")
    assert builder.constant("k", np.array(1, np.float32)).type.shape == ()


def test_quantised_constants_are_moved_beneath_their_dequantize() -> None:
    builder = GraphBuilder("g")
    quant = Quant((0.5, 0.25), (0, 1), axis=0)
    integers = builder.constant("w", np.arange(6, dtype=np.int8).reshape(2, 3), quant)
    real = builder.add(Dequantize(), (integers,), node="d", value="wf")
    moved = builder.moved(Transpose((1, 0)), real, node="t", role="turned")
    graph = builder.finish([("y", moved)], Arithmetic.ONNX)
    verify(graph, "the test")
    assert [type(node.op) for node in graph.nodes] == [Constant, Dequantize]
    assert graph.nodes[0].output.type == TensorType((3, 2), DType.I8, Quant((0.5, 0.25), (0, 1), axis=1))
    (array,) = graph.constants.values()
    assert array.tolist() == [[0, 3], [1, 4], [2, 5]]


def test_computed_values_are_moved_by_a_node() -> None:
    builder = GraphBuilder("g")
    moved = builder.moved(Reshape((2, 1)), builder.input("x", PAIR), node="r", role="column")
    graph = builder.finish([("y", moved)], Arithmetic.ONNX)
    assert [type(node.op) for node in graph.nodes] == [Reshape]


def test_every_output_is_a_value_of_its_own() -> None:
    builder = GraphBuilder("g", reserved=["x", "y", "z", "k"])
    x = builder.input("x", PAIR)
    relu = builder.add(Relu(), (x,), node="r", value="r")
    constant = builder.constant("k", np.ones(2, np.float32))
    builder.rename(constant, "k")
    graph = builder.finish([("y", relu), ("z", relu), ("x2", x), ("k", constant)], Arithmetic.ONNX)
    verify(graph, "the test")
    assert [value.name for value in graph.outputs] == ["y", "z", "x2", "k"]


def test_an_input_that_is_an_output_as_well_needs_no_copy() -> None:
    builder = GraphBuilder("g", reserved=["x", "y"])
    x = builder.input("x", PAIR)
    relu = builder.add(Relu(), (x,), node="r", value="y")
    graph = builder.finish([("x", x), ("y", relu)], Arithmetic.ONNX)
    verify(graph, "the test")
    assert graph.outputs[0] == x
    assert [type(node.op) for node in graph.nodes] == [Relu]


def test_what_no_output_needs_is_left_out() -> None:
    builder = GraphBuilder("g")
    x = builder.input("x", PAIR)
    builder.add(Add(), (x, builder.constant("k", np.ones(2, np.float32))), node="dead", value="dead")
    graph = builder.finish([("y", builder.add(Relu(), (x,), node="r", value="y"))], Arithmetic.ONNX)
    assert [node.name for node in graph.nodes] == ["r"]
    assert not graph.constants


def test_operands_that_do_not_suit() -> None:
    builder = GraphBuilder("g")
    x, k = builder.input("x", PAIR), builder.constant("k", np.ones(3, np.float32))
    with pytest.raises(ShapeError, match="do not broadcast"):
        builder.add(Add(), (x, k), node="a", value="a")
