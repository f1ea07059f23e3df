# SPDX-License-Identifier: Apache-2.0
"""Tensors without elements: known, left out, gone."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Graph, Value
from stowage.ir.ops.elementwise import Relu, Tanh
from stowage.ir.ops.movement import Concat, Constant, Slice
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import ReduceMax, ReduceProd, ReduceSum
from stowage.ir.reference import run
from stowage.ir.tensor_type import TensorType
from stowage.ir.verify import verify
from stowage.passes.drop_empty import DROP_EMPTY


def graph_of(build: GraphBuilder, *outputs: Value) -> Graph:
    graph = build.finish([(f"y{index}", value) for index, value in enumerate(outputs)], Arithmetic.ONNX)
    verify(graph, "the test")
    return graph


def add(build: GraphBuilder, op: Op, *operands: Value) -> Value:
    return build.add(op, operands, node="n", value="n")


def dropped(graph: Graph) -> Graph:
    result = DROP_EMPTY.run(graph)
    verify(result, "drop_empty")
    return result


def test_chain_of_empty_tensors_is_a_constant() -> None:
    build = GraphBuilder("m", {"y0"})
    part = add(build, Slice((0, 0), (0, 3), (1, 1)), build.input("x", TensorType((2, 3), DType.F32)))
    graph = dropped(graph_of(build, add(build, Tanh(), add(build, Relu(), part))))
    assert [type(node.op) for node in graph.nodes] == [Constant]
    assert run(graph, {"x": np.ones((2, 3), np.float32)})["y0"].shape == (0, 3)


def test_concat_keeps_what_has_elements() -> None:
    build = GraphBuilder("m", {"y0"})
    full, empty = build.input("x", TensorType((2, 3), DType.F32)), build.input("e", TensorType((2, 0), DType.F32))
    graph = dropped(graph_of(build, add(build, Concat(1), empty, full, empty)))
    (node,) = graph.nodes
    assert node.inputs == (full,)
    assert graph.inputs == (full, empty)


@pytest.mark.parametrize(("op", "identity"), [(ReduceSum((1,)), 0), (ReduceProd((1,)), 1), (ReduceMax((1,)), -np.inf)])
def test_reduction_of_an_empty_input_reads_a_constant(op: Op, identity: float) -> None:
    build = GraphBuilder("m", {"y0"})
    graph = dropped(graph_of(build, add(build, op, build.input("e", TensorType((2, 0), DType.F32)))))
    assert not {operand.name for node in graph.nodes for operand in node.inputs} & {"e"}
    assert run(graph, {"e": np.zeros((2, 0), np.float32)})["y0"].tolist() == [[identity]] * 2


def test_graph_without_empty_tensors_is_left_alone() -> None:
    build = GraphBuilder("m", {"y0"})
    graph = graph_of(build, add(build, Relu(), build.input("x", TensorType((2, 3), DType.F32))))
    assert dropped(graph) is graph
