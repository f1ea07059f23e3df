# SPDX-License-Identifier: Apache-2.0
"""Whole graphs, and that every operator has a meaning."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value, digest_of
from stowage.ir.ops.all import OPS
from stowage.ir.ops.beside import Beside
from stowage.ir.ops.elementwise import Add, Relu
from stowage.ir.ops.movement import Constant
from stowage.ir.ops.npu import NpuSegment
from stowage.ir.ops.residual import Conv2dAdd
from stowage.ir.ops.sequence_lstm import SequenceLstm
from stowage.ir.reference import run
from stowage.ir.reference.combined import COMBINED
from stowage.ir.reference.converted import CONVERTED
from stowage.ir.reference.moved import MOVED
from stowage.ir.reference.pooled_rows import POOLED_ROWS
from stowage.ir.reference.quantised import INTEGERS
from stowage.ir.reference.real import REAL
from stowage.ir.reference.selected import SELECTED
from stowage.ir.reference.whole import WHOLE
from stowage.ir.tensor_type import TensorType

PAIR = TensorType((2,), DType.F32)
X, C, S, Y = (Value(name, PAIR) for name in "xcsy")
OFFSET = np.array([1.0, -5.0], dtype=np.float32)
GRAPH = Graph(
    "g",
    (X,),
    (Y,),
    (
        Node("c", Constant(digest_of(OFFSET), PAIR), (), (C,)),
        Node("add", Add(), (X, C), (S,)),
        Node("relu", Relu(), (S,), (Y,)),
    ),
    constants={digest_of(OFFSET): OFFSET},
)


def test_every_value_is_returned() -> None:
    values = run(GRAPH, {"x": np.array([1, 2], dtype=np.float32)})
    assert {name: array.tolist() for name, array in values.items()} == {
        "x": [1, 2],
        "c": [1, -5],
        "s": [2, -3],
        "y": [2, 0],
    }


@pytest.mark.parametrize(
    "inputs",
    [{}, {"x": np.zeros(3, dtype=np.float32)}, {"x": np.zeros(2, dtype=np.float64)}],
    ids=["none", "shape", "dtype"],
)
def test_inputs_must_be_the_graphs(inputs: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]) -> None:
    with pytest.raises(ValueError, match="input x is"):
        run(GRAPH, inputs)


def test_result_of_another_type_than_the_graph_says_is_a_defect() -> None:
    wrong = Value("y", TensorType((2,), DType.F64))
    graph = Graph("g", (X,), (wrong,), (Node("relu", Relu(), (X,), (wrong,)),))
    assert run(graph, {"x": OFFSET})["y"].dtype == np.float64
    wider = Value("y", TensorType((2, 2), DType.F32))
    with pytest.raises(AssertionError, match="relu made"):
        run(Graph("g", (X,), (wider,), (Node("relu", Relu(), (X,), (wider,)),)), {"x": OFFSET})


def test_every_operator_has_a_meaning() -> None:
    """But for segments of an NPU, which are made of operators that have, when all that looks at meanings is done."""
    meant = {*MOVED, *CONVERTED, *COMBINED, *SELECTED, *POOLED_ROWS, *REAL, Constant, Conv2dAdd, SequenceLstm}
    beside = {each for each in OPS.values() if issubclass(each, Beside)}
    assert meant | beside == set(OPS.values()) - {NpuSegment}
    assert set().union(*INTEGERS.values()) | set(WHOLE) <= set(REAL)
