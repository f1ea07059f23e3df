# SPDX-License-Identifier: Apache-2.0
"""Operators that select, put, order and sum elements, and transforms of signals, compute what ONNX says in every form.

The judge is ONNX Runtime, or ONNX's own evaluator for operators that are newer than ONNX Runtime.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator

from stowage.frontend.from_onnx.model_making import model_of
from stowage.frontend.from_onnx.oracle import check_import, imported, random_inputs
from stowage.ir.graph import Array
from stowage.ir.reference import run

F32, I64 = np.float32, np.int64


@dataclass(frozen=True)
class Case:
    """One node: shapes of its float inputs, constant operands after them (None: absent), attributes."""

    op: str
    shapes: tuple[tuple[int, ...], ...]
    constants: tuple[Any, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    opset: int = 20
    outputs: int = 1

    @property
    def id(self) -> str:
        return f"{self.op}{self.opset}-{self.shapes}-{self.attributes}".replace(" ", "")[:90]

    @property
    def model(self) -> ModelProto:
        inputs = [f"x{k}" for k in range(len(self.shapes))]
        names = [f"y{k}" for k in range(self.outputs)]
        operands = [f"c{k}" if array is not None else "" for k, array in enumerate(self.constants)]
        return model_of(
            [helper.make_node(self.op, inputs + operands, names, name="n", **self.attributes)],
            [helper.make_tensor_value_info(name, 1, shape) for name, shape in zip(inputs, self.shapes, strict=True)],
            [helper.make_empty_tensor_value_info(name) for name in names],
            {f"c{k}": array for k, array in enumerate(self.constants) if array is not None},
            self.opset,
        )


def ints(*values: int) -> NDArray[Any]:
    return np.array(values, I64)


def reals(*shape: int) -> NDArray[Any]:
    return np.random.default_rng(7).normal(size=shape).astype(F32)


def evaluated(model: ModelProto, inputs: dict[str, Array]) -> Any:
    """The model's one output as ONNX's own evaluator computes it."""
    (output,) = ReferenceEvaluator(model).run(None, inputs)
    return output


def _check_close(found: Any, expected: Any, tolerance: float) -> None:
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def einsum(equation: str, *shapes: tuple[int, ...]) -> Case:
    return Case("Einsum", shapes, (), {"equation": equation})


TABLE = np.array([[0, 2, -1], [3, 1, 0]], I64)
ORDERING = [
    *(
        Case("TopK", ((3, 6, 2),), (ints(k),), {"axis": axis, "largest": largest}, outputs=2)
        for k, axis, largest in ((2, 1, 1), (6, -2, 0), (1, 0, 1))
    ),
    Case("TopK", ((3, 6),), (ints(4),), {}, 10, 2),
    Case("TopK", ((3, 6),), (), {"k": 2, "axis": 0}, 9, 2),
    Case("ReverseSequence", ((4, 3, 2),), (ints(1, 4, 3),)),
    Case("ReverseSequence", ((3, 4, 2),), (ints(1, 4, 3),), {"batch_axis": 0, "time_axis": 1}),
    Case("CenterCropPad", ((5, 8, 3),), (ints(8, 5, 3),)),
    Case("CenterCropPad", ((3, 5, 8),), (ints(2, 9),), {"axes": [-2, 2]}),
    Case("Compress", ((3, 4),), (np.array([True, False, True]),), {"axis": 0}),
    Case("Compress", ((3, 4),), (np.array([False, True, False, False, True]),)),
    Case("Tile", ((2, 3, 2, 2),), (ints(2, 1, 3, 2),)),
]
SCATTERING = [
    Case("Scatter", ((4, 3),), (TABLE, reals(2, 3)), {}, 10),
    *(
        Case("ScatterElements", ((4, 3),), (TABLE, reals(2, 3)), {"reduction": reduction}, 18)
        for reduction in ("none", "add", "mul", "min", "max")
    ),
    Case("ScatterElements", ((3, 5),), (TABLE, reals(2, 3)), {"axis": -1}, 11),
]
ALGEBRA = [
    Case("Det", ((3, 4, 4),)),
    Case("Det", ((3, 3),)),
    einsum("ij->ji", (3, 4)),
    einsum("ij", (3, 4)),
    einsum("ba", (3, 4)),
    einsum("ij->", (3, 4)),
    einsum("i,i", (5,), (5,)),
    einsum("i,j->ji", (5,), (4,)),
    einsum("bij, bjk -> bik", (2, 3, 4), (2, 4, 5)),
    einsum("bhid,bhjd->bhij", (2, 3, 4, 5), (2, 3, 6, 5)),
    einsum("bijc,bjkc->bikc", (2, 3, 4, 2), (2, 4, 5, 2)),
    einsum("...ii->...i", (2, 4, 4)),
    einsum("iijj->ji", (3, 3, 2, 2)),
    einsum("iii->", (3, 3, 3)),
    einsum("...ij,...jk->...ik", (2, 1, 3, 4), (1, 5, 4, 2)),
    einsum("...i,...i", (2, 3, 4), (1, 3, 4)),
    einsum("ab,bc,cd->da", (2, 3), (3, 4), (4, 5)),
    einsum("ij,ij,i->j", (3, 4), (3, 4), (3,)),
    einsum("ab,cd->", (2, 3), (4, 5)),
    einsum("ijk,j->ik", (2, 4, 3), (4,)),
]
SIGNALS = [
    Case("DFT", ((2, 7, 1),), (), {"axis": 1}, 17),
    Case("DFT", ((2, 8, 2),), (), {"axis": 1, "inverse": 1}, 17),
    Case("DFT", ((2, 3, 8, 1),), (np.array(6, I64),), {"axis": 2, "onesided": 1}, 17),
    Case("DFT", ((2, 6, 3, 2),), (None, np.array(1, I64))),
    Case("DFT", ((2, 6, 1),), (np.array(9, I64), np.array(-2, I64)), {"onesided": 1}),
    Case("STFT", ((2, 32, 1),), (np.array(5, I64), None, np.array(8, I64)), {}, 17),
    Case("STFT", ((2, 32, 1),), (np.array(4, I64), reals(8)), {"onesided": 0}, 17),
]
CASES = [*ORDERING, *SCATTERING, *ALGEBRA, *SIGNALS]


@pytest.mark.parametrize("case", CASES, ids=[f"{index}-{case.id}" for index, case in enumerate(CASES)])
def test_computes_what_onnx_runtime_does(case: Case, tmp_path: Path) -> None:
    check_import(case.model, tmp_path)


NEWER = [
    einsum("...ij,...jk->...ik", (2, 1, 3, 4), (5, 4, 2)),
    Case("DFT", ((2, 5, 2),), (), {"axis": 1, "inverse": 1, "onesided": 1}, 17),
    Case("DFT", ((2, 5, 2),), (np.array(7, I64),), {"inverse": 1, "onesided": 1}),
    Case("STFT", ((2, 20, 2),), (np.array(4, I64), reals(6)), {"onesided": 0}, 17),
    *(
        Case("TensorScatter", ((2, 3, 6, 2), (2, 3, 2, 2)), (ints(*places),), {"mode": mode}, 24)
        for mode, places in (("linear", (1, 4)), ("circular", (5, 3)))
    ),
    Case("TensorScatter", ((2, 6, 3), (2, 4, 3)), (), {"axis": 1}, 24),
    *(
        Case("CumProd", ((2, 5, 3),), (np.array(1, I64),), {"exclusive": exclusive, "reverse": reverse}, 26)
        for exclusive in (0, 1)
        for reverse in (0, 1)
    ),
]


@pytest.mark.parametrize("case", NEWER, ids=[f"{index}-{case.id}" for index, case in enumerate(NEWER)])
def test_computes_what_onnx_says(case: Case, tmp_path: Path) -> None:
    graph = imported(case.model, tmp_path)
    inputs = random_inputs(graph)
    found = run(graph, inputs)[graph.outputs[0].name]
    _check_close(found, evaluated(case.model, inputs), 1e-5)


TABLES = [
    *(
        Case(f"{name}Window", (), (np.array(size, I64),), {"periodic": periodic}, 17)
        for name in ("Hann", "Hamming", "Blackman")
        for size, periodic in ((9, 1), (8, 0))
    ),
    Case("MelWeightMatrix", (), (ints(12)[0], ints(64)[0], ints(8000)[0], F32(20.0), F32(3600.0)), {}, 17),
    Case("EyeLike", ((3, 5),), (), {"k": -1, "dtype": 6}),
]


@pytest.mark.parametrize("case", TABLES, ids=[case.id for case in TABLES])
def test_tables_are_constants(case: Case, tmp_path: Path) -> None:
    graph = imported(case.model, tmp_path)
    inputs = random_inputs(graph)
    found = run(graph, inputs)[graph.outputs[0].name]
    _check_close(found, evaluated(case.model, inputs), 1e-6)
