# SPDX-License-Identifier: Apache-2.0
"""Constants as the kernels read them."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest
from numpy.typing import NDArray

from stowage.codegen.assemble import assemble
from stowage.codegen.program import DataPointer
from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Graph, Node, Value, digest_of
from stowage.ir.ops.movement import Concat, Constant
from stowage.ir.tensor_type import TensorType
from stowage.memory.planning import plan_memory
from stowage.schedule.select import select
from stowage.target.board import Master, RegionKind, Role
from stowage.target.core import CORES
from stowage.target.target import Target, TargetRegion

REGION = TargetRegion("sram", 4096, RegionKind.SRAM, 1, 1, 1, frozenset({Master.CPU}))
TARGET = Target("any", "any/board.textproto", CORES["host"], frozenset(), MappingProxyType({Role.ARENA: (REGION,)}))


@pytest.mark.parametrize(
    "array",
    [np.array([-1.5, 3e9], np.float32), np.array([-73, 5], np.int8), np.array([-(2**40), 7], np.int64)],
    ids=lambda array: array.dtype.name,
)
def test_a_kernel_that_moves_bytes_gets_the_bytes(array: NDArray[np.generic]) -> None:
    type_ = TensorType(array.shape, DType.of(array.dtype))
    digest = digest_of(array)
    x, k, y = Value("x", type_), Value("k", type_), Value("y", TensorType((4,), type_.dtype))
    nodes = (Node("k", Constant(digest, type_), (), (k,)), Node("c", Concat(0), (x, k), (y,)))
    graph = Graph("m", (x,), (y,), nodes, Arithmetic.ONNX, {digest: array})
    program = assemble(plan_memory(select(graph, TARGET.features), TARGET))
    (datum,) = program.data
    stored = program.constants[datum.digest]
    assert (datum.ctype, stored.dtype) == ("uint8_t", np.dtype(np.uint8))
    assert stored.tobytes() == array.tobytes()


def test_equal_bytes_are_stored_once_whatever_shape_and_type_they_have() -> None:
    array = np.array([200, 3, 0, 77], np.uint8)
    shapes = {"a": array, "b": array.reshape(2, 2), "c": array.view(np.int8)}
    nodes, inputs, outputs, constants = [], [], [], {}
    for name, each in shapes.items():
        type_, digest = TensorType(each.shape, DType.of(each.dtype)), digest_of(each)
        constants[digest] = each
        x, k = Value(f"x_{name}", type_), Value(f"k_{name}", type_)
        y = Value(f"y_{name}", TensorType((2 * each.shape[0], *each.shape[1:]), type_.dtype))
        nodes += [Node(k.name, Constant(digest, type_), (), (k,)), Node(y.name, Concat(0), (x, k), (y,))]
        inputs.append(x)
        outputs.append(y)
    graph = Graph("m", tuple(inputs), tuple(outputs), tuple(nodes), Arithmetic.ONNX, constants)
    program = assemble(plan_memory(select(graph, TARGET.features), TARGET))
    (datum,) = program.data
    read = [pointer for call in program.calls for pointer in call.pointers if isinstance(pointer, DataPointer)]
    assert [pointer.symbol for pointer in read] == [datum.symbol] * 3
    assert program.constants[datum.digest].tobytes() == array.tobytes()
