# SPDX-License-Identifier: Apache-2.0
"""Functions, combinations, reductions, normalisations and movements, in every form, compute what ONNX Runtime does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.frontend.from_onnx.node_case import BOOL, F32, I64, Case, ints, reals

PLAIN = ("Neg", "Abs", "Sign", "Exp", "Reciprocal", "Floor", "Ceil", "Round", "Erf", "Sin", "Cos", "Softplus")
FUNCTIONS = [
    *(Case(op, ((2, 3, 4),)) for op in (*PLAIN, "Softsign", "Mish", "Elu", "Selu", "Celu", "ThresholdedRelu", "Gelu")),
    *(Case(op, ((2, 3, 4),), opset=9) for op in ("Neg", "Abs", "Exp", "Erf", "Elu", "Selu", "Softplus", "Sign")),
    *(Case(op, (((2, 3), I64),)) for op in ("Neg", "Abs", "Sign")),
    *(Case(op, ((2, 3, 4),)) for op in ("Tan", "Atan", "Sinh", "Cosh", "Asinh")),
    Case("Relu", (((2, 3), np.int32),)),
    Case("Elu", ((2, 3),), (), {"alpha": 0.5}),
    Case("Selu", ((2, 3),), (), {"alpha": 2.0, "gamma": 3.0}),
    Case("Celu", ((2, 3),), (), {"alpha": 2.0}),
    Case("ThresholdedRelu", ((2, 9),), (), {"alpha": 0.25}),
    Case("Shrink", ((2, 9),), (), {"bias": 0.1, "lambd": 0.25}),
    Case("Gelu", ((2, 9),), (), {"approximate": "tanh"}),
    Case("Not", (((2, 9), BOOL),)),
    Case("IsNaN", ((2, 9),)),
    Case("IsInf", ((2, 9),), (), {"detect_negative": 0}),
]
COMBINATIONS = [
    *(Case("Pow", ((2, 3),), (np.array(value, F32),)) for value in (2.0, 3.0, 1.0, -1.0)),
    Case("Pow", ((2, 3),), (ints(2, 3, 0),)),
    *(Case(op, ((2, 3), (3,), (1, 1)), opset=opset) for op in ("Min", "Max", "Sum", "Mean") for opset in (8, 13)),
    Case("Max", ((2, 3),)),
    Case("Min", (((2, 3), I64), ((3,), I64))),
    Case("Mod", (((2, 3), I64),), (ints(3, -3, 7),)),
    Case("Mod", (((2, 3), I64),), (ints(3, -3, 7),), {"fmod": 1}),
    Case("Mod", ((2, 3),), (np.array(0.7, F32),), {"fmod": 1}),
    *(Case(op, ((2, 3), (3,))) for op in ("Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal")),
    Case("Equal", (((2, 3), I64),), (ints(3),)),
    Case("Equal", (((2, 3), BOOL), ((3,), BOOL))),
    *(Case(op, (((2, 3), BOOL), ((3,), BOOL))) for op in ("And", "Or", "Xor")),
    *(Case("Pow", (((2, 3), I64),), (exponent,)) for exponent in (ints(0, 1, 5), np.array([0, 2, 3], F32))),
    Case("BitShift", (((2, 3), np.uint8),), (np.array([0, 1, 7], np.uint8),), {"direction": "LEFT"}),
    Case("BitShift", (((2, 3), np.uint64),), (np.array([0, 1, 7], np.uint64),), {"direction": "RIGHT"}),
    *(Case(op, (((2, 3), np.int16), ((3,), np.int16))) for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor")),
    Case("BitwiseNot", (((2, 3), np.int32),)),
    Case("CastLike", ((2, 3), ((1,), np.int32))),
    Case("CastLike", (((2, 3), I64), (2, 2))),
    Case("Clip", ((2, 3), (1,), (1,))),
    Case("Clip", (((2, 3), np.int8), ((), np.int8))),
    Case("MatMul", (((2, 3), np.int32), ((3, 4), np.int32))),
    *(Case(op, (((2, 3), np.uint32), ((3,), np.uint32))) for op in ("Add", "Sub", "Mul", "Max")),
    Case("Where", (((2, 1), BOOL), (2, 3), (3,))),
    Case("Where", (((2, 1), BOOL), ((2, 3), I64)), (ints(5),)),
    Case("PRelu", ((2, 3, 4),), (reals(3, 1),)),
    Case("PRelu", ((2, 3, 4),), (reals(1),), opset=8),
]
SQUARING = ("ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp")
REDUCTIONS = [
    *(Case(op, ((2, 3, 4),), (), {"axes": [1, -1]}, 11) for op in ("ReduceSum", "ReduceMax", "ReduceMin", *SQUARING)),
    *(Case(op, ((2, 3, 4),), (ints(1),), {"keepdims": 0}, 18) for op in ("ReduceMax", "ReduceProd", *SQUARING)),
    Case("ReduceSum", ((2, 3, 4),), (ints(-1),), {}, 13),
    Case("ReduceSum", ((2, 3, 4),), (ints(),), {"noop_with_empty_axes": 1}),
    Case("ReduceSum", (((2, 3, 4), I64),)),
    Case("ReduceMax", (((2, 3, 4), np.int8),)),
    Case("LogSoftmax", ((2, 3, 4),), (), {"axis": 1}, 11),
    Case("LogSoftmax", ((2, 3, 4),), (), {"axis": 1}),
    Case("LogSoftmax", ((2, 3, 4),)),
    Case("ArgMin", ((2, 5, 4),), (), {"axis": 1, "keepdims": 0}),
    Case("ArgMin", ((2, 5, 4),), (), {"axis": -1, "select_last_index": 1}),
    Case("CumSum", ((2, 5, 4),), (np.array(1, np.int32),)),
    Case("CumSum", ((2, 5, 4),), (np.array(-1, I64),), {"exclusive": 1, "reverse": 1}),
    Case("LpNormalization", ((2, 5, 4),), (), {"axis": 1}),
    Case("ReduceMean", (((2, 5, 4), np.int32),), (ints(1),), {}, 18),
    Case("ArgMin", (((2, 5, 4), np.int32),), (), {"axis": 1}),
    *(Case("Hardmax", ((2, 5, 4),), (), {"axis": axis}, opset) for axis, opset in ((1, 13), (-1, 13), (1, 11))),
    Case("LpNormalization", ((2, 5, 4),), (), {"p": 1}),
]
SELECTIONS = [
    Case("Pad", ((3, 4),), (ints(1, 2, 0, 3),), {"mode": "wrap"}, 19),
    Case("Gather", ((4, 5),), (ints(0, 3, -1),)),
    Case("Gather", ((4, 5),), (np.array([[0, 2], [4, 1]], np.int32),), {"axis": 1}),
    Case("Gather", ((4, 5),), (np.array(-2, I64),), {"axis": -1}, 11),
    Case("Gather", ((4, 5),), (ints(3, 1),)),
    Case("GatherElements", ((4, 5),), (np.array([[0, 2, -1], [3, 1, 0]], I64),)),
    Case("GatherElements", ((4, 5),), (np.array([[0, 2, -5], [4, 1, 0]], np.int64),), {"axis": 1}, 11),
    Case("GatherND", ((4, 5, 2),), (np.array([[0, -1], [3, 2]], I64),), {}, 11),
    Case("GatherND", ((2, 5, 3),), (np.array([[[1], [4]], [[0], [-2]]], I64),), {"batch_dims": 1}),
    *(
        Case("ScatterND", ((4, 5),), (np.array([[1], [3], [1]], I64), reals(3, 5)), {"reduction": reduction})
        for reduction in ("none", "add", "max")
    ),
    Case("Expand", ((3, 1),), (ints(2, 3, 4),)),
    Case("Expand", ((3, 4),), (ints(1, 1),)),
    Case("Tile", ((2, 3),), (ints(2, 3),)),
    Case("OneHot", (((3, 2), I64),), (np.array(4, I64), np.array([0.5, 2], F32)), {"axis": 1}),
    Case("Trilu", ((2, 4, 5),), (np.array(1, I64),)),
    Case("Trilu", ((4, 5),), (), {"upper": 0}, 14),
    Case("DepthToSpace", ((1, 8, 2, 3),), (), {"blocksize": 2}),
    Case("DepthToSpace", ((1, 8, 2, 3),), (), {"blocksize": 2, "mode": "CRD"}, 11),
    Case("SpaceToDepth", ((1, 2, 4, 6),), (), {"blocksize": 2}),
]
NORMALISATIONS = [
    Case("LayerNormalization", ((2, 3, 4),), (reals(4), reals(4)), {}, 17),
    Case("LayerNormalization", ((2, 3, 4),), (reals(3, 4),), {"axis": 1, "epsilon": 0.01}, 17),
    Case("InstanceNormalization", ((2, 3, 4, 5),), (reals(3), reals(3)), {"epsilon": 0.01}),
    Case("GroupNormalization", ((2, 4, 3, 5),), (reals(4), reals(4)), {"num_groups": 2}, 21),
    Case("MeanVarianceNormalization", ((2, 3, 4, 5),), (), {}, 13),
    Case("LRN", ((2, 5, 3, 4),), (), {"size": 3, "alpha": 0.5, "beta": 0.6, "bias": 1.5}, 13),
    Case("LRN", ((2, 6, 3, 4),), (), {"size": 3, "alpha": 0.5}, 13),
]
TRANSPOSED = [
    Case("ConvTranspose", ((2, 3, 4, 5),), (reals(3, 2, 3, 2),)),
    Case("ConvTranspose", ((1, 4, 4, 5),), (reals(4, 3, 3, 2), reals(6)), {"group": 2, "strides": [2, 3]}),
    Case("ConvTranspose", ((1, 2, 4, 5),), (reals(2, 3, 3, 3),), {"pads": [1, 0, 2, 1], "dilations": [2, 1]}),
    Case("ConvTranspose", ((1, 2, 4, 5),), (reals(2, 3, 3, 3),), {"strides": [2, 2], "output_padding": [1, 1]}),
    Case("ConvTranspose", ((1, 2, 4, 5),), (reals(2, 3, 3, 3),), {"strides": [2, 2], "auto_pad": "SAME_UPPER"}),
    Case("ConvTranspose", ((1, 2, 4, 5),), (reals(2, 3, 3, 3),), {"strides": [2, 2], "output_shape": [9, 11]}),
    Case("ConvTranspose", ((1, 2, 6),), (reals(2, 3, 3), reals(3)), {"strides": [2]}),
]


def recurrent(op: str, gates: int, directions: int = 1, states: int = 0, opset: int = 14, **attributes: Any) -> Case:
    """A layer of 3 inputs and 4 hidden numbers over 5 steps of 2 sequences."""
    weights = (reals(directions, 4 * gates, 3), reals(directions, 4 * gates, 4) / 2, reals(directions, 8 * gates))
    initial = (None, *(reals(directions, 2, 4),) * states) if states else ()
    count = 3 if op == "LSTM" else 2
    return Case(op, ((5, 2, 3),), (*weights, *initial), {"hidden_size": 4, **attributes}, opset, count)


RECURRENT = [
    *(recurrent(op, gates, opset=7) for op, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1))),
    *(recurrent(op, gates, 2, direction="bidirectional") for op, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1))),
    recurrent("LSTM", 4, states=2, direction="reverse"),
    recurrent("GRU", 3, states=1, linear_before_reset=1),
    recurrent("RNN", 1, states=1, activations=["Relu"]),
]
CASES = [*FUNCTIONS, *COMBINATIONS, *REDUCTIONS, *SELECTIONS, *NORMALISATIONS, *TRANSPOSED, *RECURRENT]


@pytest.mark.parametrize("case", CASES, ids=[f"{index}-{case.id}" for index, case in enumerate(CASES)])
def test_computes_what_onnx_runtime_does(case: Case, tmp_path: Path) -> None:
    case.check(tmp_path)
