# SPDX-License-Identifier: Apache-2.0
"""Operators against LiteRT's reference kernels: moves and extremes of integers bit for bit, reals closely."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.operator_case import BYTE, REAL, WORD, Case, numbers, written
from stowage.frontend.from_tflite.operators.table import TRANSLATORS


def moves(dtype: str) -> list[Case]:
    """Operators that only move elements."""
    one = (1, 4, 6, 3)
    strided = {"BeginMask": 1, "EndMask": 4, "ShrinkAxisMask": 2}
    return [
        Case("RESHAPE", (one, numbers(2, -1)), ((2, 36),), dtype),
        Case("SQUEEZE", ((1, 4, 1, 3),), ((4, 3),), dtype, kind="SqueezeOptions", options={"SqueezeDims": (0, 2)}),
        Case("EXPAND_DIMS", ((4, 3), numbers(1)), ((4, 1, 3),), dtype),
        Case("TRANSPOSE", (one, numbers(0, 2, 1, 3)), ((1, 6, 4, 3),), dtype),
        Case("PAD", (one, numbers([0, 0], [1, 2], [0, 3], [0, 0])), ((1, 7, 9, 3),), dtype),
        Case("MIRROR_PAD", ((1, 4, 6), numbers([0, 0], [1, 2], [2, 0])), ((1, 7, 8),), dtype, kind="MirrorPadOptions"),
        Case("SLICE", (one, numbers(0, 1, 2, 0), numbers(1, -1, 3, 2)), ((1, 3, 3, 2),), dtype),
        Case("STRIDED_SLICE", ((5, 6, 7), numbers(4, 1, 6), numbers(0, 2, 0), numbers(-2, 1, -3)), ((2, 1, 2),), dtype,
             kind="StridedSliceOptions", options={}),
        Case("STRIDED_SLICE", ((5, 6, 7), numbers(3, -2, 1), numbers(5, 0, 0), numbers(2, 1, 2)), ((3, 3),), dtype,
             kind="StridedSliceOptions", options=strided),
        Case("SPLIT", (numbers(2).reshape(()), (2, 3, 6)), ((2, 3, 2),) * 3, dtype, kind="SplitOptions",
             options={"NumSplits": 3}),
        Case("SPLIT_V", ((2, 3, 6), numbers(1, -1), numbers(2).reshape(())), ((2, 3, 1), (2, 3, 5)), dtype,
             kind="SplitVOptions", options={"NumSplits": 2}),
        Case("CONCATENATION", ((2, 3), (2, 5)), ((2, 8),), dtype, kind="ConcatenationOptions", options={"Axis": -1}),
        Case("PACK", ((2, 3), (2, 3)), ((2, 2, 3),), dtype, kind="PackOptions", options={"Axis": 1, "ValuesCount": 2}),
        Case("UNPACK", ((2, 3),), ((2,),) * 3, dtype, kind="UnpackOptions", options={"Axis": 1, "Num": 3}),
        Case("GATHER", ((4, 3, 5), numbers(2, 0)), ((4, 2, 5),), dtype, kind="GatherOptions", options={"Axis": 1}),
        Case("TILE", ((2, 3), numbers(2, 3)), ((4, 9),), dtype),
        Case("MAXIMUM", ((2, 5, 3), (5, 1)), ((2, 5, 3),), dtype, kind="MaximumMinimumOptions"),
        Case("MINIMUM", ((2, 5, 3), (3,)), ((2, 5, 3),), dtype, kind="MaximumMinimumOptions"),
        Case("REDUCE_MAX", (one, numbers(1, 2)), ((1, 3),), dtype, kind="ReducerOptions"),
        Case("REDUCE_MIN", (one, numbers(-1)), ((1, 4, 6, 1),), dtype, kind="ReducerOptions",
             options={"KeepDims": True}),
        Case("ARG_MAX", ((4, 9), numbers(1).reshape(())), ((4,),), dtype, WORD, "ArgMaxOptions", {"OutputType": 2}),
        *(
            Case("RESIZE_NEAREST_NEIGHBOR", (one, numbers(*size)), ((1, *size, 3),), dtype,
                 kind="ResizeNearestNeighborOptions", options=options)
            for size in ((8, 12), (2, 3), (7, 5))
            for options in ({}, {"HalfPixelCenters": True}, {"AlignCorners": True})
        ),
    ]  # fmt: skip


def reals() -> list[Case]:
    """Operators that compute reals."""
    functions = ["ABS", "COS", "EXP", "FLOOR", "HARD_SWISH", "LOGISTIC", "NEG", "RELU", "RELU6",
                 "RELU_N1_TO_1", "SIN", "SQUARE", "TANH", "SIGN"]  # fmt: skip
    two = ["ADD", "SUB", "MUL", "DIV", "SQUARED_DIFFERENCE"]
    kinds = {"ADD": "AddOptions", "SUB": "SubOptions", "MUL": "MulOptions", "DIV": "DivOptions"}
    image = (1, 5, 6, 3)
    weights = np.random.default_rng(3).standard_normal((4, 3, 2, 3)).astype(np.float32)
    return [
        *(Case(code, ((3, 50),), ((3, 50),)) for code in functions),
        *(Case(code, ((3, 50),), ((3, 50),), positive=True) for code in ("LOG", "SQRT", "RSQRT")),
        *(
            Case(code, ((2, 3, 4), (3, 1)), ((2, 3, 4),), kind=kinds.get(code, "SquaredDifferenceOptions"),
                 options={"FusedActivationFunction": activation} if code in kinds else {})
            for code in two for activation in range(4)
        ),
        *(Case(code, ((3, 5), (3, 5)), ((3, 5),), made="bool")
          for code in ("EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL")),
        Case("POW", ((3, 5), (3, 5)), ((3, 5),), positive=True),
        Case("PRELU", ((2, 3, 4), np.array([[[0.1, -0.5, 2.0, 0.3]]], np.float32)), ((2, 3, 4),)),
        Case("GELU", ((3, 50),), ((3, 50),), kind="GeluOptions"),
        Case("GELU", ((3, 50),), ((3, 50),), kind="GeluOptions", options={"Approximate": True}),
        Case("LEAKY_RELU", ((3, 50),), ((3, 50),), kind="LeakyReluOptions", options={"Alpha": 0.3}),
        Case("SOFTMAX", ((4, 7),), ((4, 7),), kind="SoftmaxOptions", options={"Beta": 1.0}),
        Case("MEAN", (image, numbers(1, 2)), ((1, 3),), kind="ReducerOptions"),
        Case("SUM", (image, numbers(3)), ((1, 5, 6),), kind="ReducerOptions"),
        Case("REDUCE_PROD", ((3, 4), numbers(0)), ((4,),), kind="ReducerOptions"),
        Case("BATCH_MATMUL", ((2, 3, 4), (2, 4, 5)), ((2, 3, 5),), kind="BatchMatMulOptions"),
        Case("BATCH_MATMUL", ((2, 3, 4), (2, 5, 4)), ((2, 3, 5),), kind="BatchMatMulOptions", options={"AdjY": True}),
        Case("TRANSPOSE_CONV", (numbers(1, 10, 12, 4), weights, image), ((1, 10, 12, 4),), kind="TransposeConvOptions",
             options={"StrideH": 2, "StrideW": 2}),
        Case("TRANSPOSE_CONV", (numbers(1, 11, 12, 4), weights, image), ((1, 11, 12, 4),), kind="TransposeConvOptions",
             options={"StrideH": 2, "StrideW": 2, "Padding": 1}),
        *(
            Case("RESIZE_BILINEAR", (image, numbers(*size)), ((1, *size, 3),), kind="ResizeBilinearOptions",
                 options=options)
            for size in ((10, 12), (3, 4))
            for options in ({}, {"HalfPixelCenters": True}, {"AlignCorners": True})
        ),
    ]  # fmt: skip


@pytest.mark.parametrize("case", [*moves(REAL), *moves(BYTE), *reals()], ids=str)
def test_as_litert(tmp_path: Path, case: Case) -> None:
    check(tmp_path, *written(case), relative=1e-5)


def test_every_operator_of_a_case_is_translated() -> None:
    assert {case.code for case in (*moves(REAL), *reals())} <= set(TRANSLATORS)
