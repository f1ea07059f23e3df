# SPDX-License-Identifier: Apache-2.0
"""Operators that rearrange, choose or order elements, of every type that LiteRT takes them of, against it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant
from stowage.frontend.from_tflite.operator_case import BYTE, REAL, WORD, Case, numbers, written
from stowage.frontend.from_tflite.random_tensors import tolerance

SHORT = "int16"


def blocks(dtype: str) -> list[Case]:
    size = {"BlockSize": 2}
    return [
        Case("DEPTH_TO_SPACE", ((2, 3, 5, 12),), ((2, 6, 10, 3),), dtype, kind="DepthToSpaceOptions", options=size),
        Case("SPACE_TO_DEPTH", ((2, 6, 10, 3),), ((2, 3, 5, 12),), dtype, kind="SpaceToDepthOptions", options=size),
    ]


def moves(dtype: str) -> list[Case]:
    masks: Any = {"kind": "StridedSliceOptions"}
    box = (5, 6, 7)
    return [
        Case("SPACE_TO_BATCH_ND", ((2, 5, 6, 3), numbers(2, 3), numbers([1, 0], [0, 3])), ((12, 3, 3, 3),), dtype),
        Case("SPACE_TO_BATCH_ND", ((1, 6, 4), numbers(3), numbers([0, 0])), ((3, 2, 4),), dtype),
        Case("BATCH_TO_SPACE_ND", ((12, 3, 3, 3), numbers(2, 3), numbers([1, 0], [0, 3])), ((2, 5, 6, 3),), dtype),
        Case("BATCH_TO_SPACE_ND", ((6, 2, 4), numbers(3), numbers([0, 1])), ((2, 5, 4),), dtype),
        Case("REVERSE_V2", (box, numbers(1)), (box,), dtype),
        Case("GATHER_ND", ((4, 3, 5), numbers([3, 0], [1, 2])), ((2, 5),), dtype),
        Case("GATHER", ((2, 4, 3), numbers([2, 0], [1, 3])), ((2, 2, 3),), dtype, kind="GatherOptions",
             options={"Axis": 1, "BatchDims": 1}),
        Case("MIRROR_PAD", ((4, 6, 3), numbers([0, 0], [1, 2], [3, 0])), ((4, 9, 6),), dtype, kind="MirrorPadOptions",
             options={"Mode": 1}),
        Case("STRIDED_SLICE", (box, numbers(1), numbers(4), numbers(2)), ((2, 6, 7),), dtype, **masks),
        Case("STRIDED_SLICE", (box, numbers(0, 1), numbers(0, 4), numbers(1, 1)), ((5, 6, 3),), dtype,
             options={"EllipsisMask": 1}, **masks),
        Case("STRIDED_SLICE", (box, numbers(2, 0, 0, 3), numbers(3, 0, 0, 6), numbers(1, 1, 1, 2)), ((6, 1, 2),), dtype,
             options={"ShrinkAxisMask": 1, "EllipsisMask": 2, "NewAxisMask": 4}, **masks),
        Case("STRIDED_SLICE", (box, numbers(0, 0), numbers(0, 3), numbers(1, 1)), ((1, 3, 6, 7),), dtype,
             options={"NewAxisMask": 1}, **masks),
    ]  # fmt: skip


def choices() -> list[Case]:
    kind: Any = {"kind": "CumsumOptions"}
    ways = [(False, False), (True, False), (False, True), (True, True)]
    tables = [np.array(2, np.int32), np.array(True), np.array(False)]
    return [
        *(Case("ARG_MIN", ((4, 9), numbers(1).reshape(())), ((4,),), dtype, WORD, "ArgMinOptions", {"OutputType": 2})
          for dtype in (REAL, BYTE, WORD)),
        *(Case("CUMSUM", ((3, 5, 2), numbers(1).reshape(())), ((3, 5, 2),), dtype,
               options={"Exclusive": exclusive, "Reverse": reverse}, **kind)
          for dtype in (REAL, WORD) for exclusive, reverse in ways),
        *(Case(code, ((3, 5, 2), numbers(0, 2)), ((5,),), "bool", kind="ReducerOptions")
          for code in ("REDUCE_ANY", "REDUCE_ALL")),
        Case("SHAPE", ((3, 5, 2),), ((3,),), REAL, WORD, "ShapeOptions", {"OutType": 2}),
        Case("RANK", ((3, 5, 2),), ((),), REAL, WORD, "RankOptions"),
        Case("ZEROS_LIKE", ((3, 5, 2),), ((3, 5, 2),), REAL),
        Case("ADD_N", ((3, 5),) * 4, ((3, 5),), REAL),
        Case("FLOOR_DIV", ((3, 5), tables[0].reshape(1) + 3), ((3, 5),), WORD),
        Case("FLOOR_MOD", ((3, 5), tables[0].reshape(1) - 9), ((3, 5),), WORD),
        Case("FLOOR_DIV", ((3, 50), (3, 50)), ((3, 50),), REAL),
        Case("FLOOR_MOD", ((3, 50), (3, 50)), ((3, 50),), REAL),
        Case("L2_NORMALIZATION", ((4, 3, 9),), ((4, 3, 9),), REAL, kind="L2NormOptions"),
        Case("LOG_SOFTMAX", ((4, 9),), ((4, 9),), REAL, kind="LogSoftmaxOptions"),
        Case("L2_POOL_2D", ((2, 5, 6, 3),), ((2, 3, 3, 3),), REAL, kind="Pool2DOptions",
             options={"StrideH": 2, "StrideW": 2, "FilterHeight": 3, "FilterWidth": 2}),
    ]  # fmt: skip


CASES = [
    *blocks(REAL), *blocks(BYTE), *moves(REAL), *moves(BYTE), *moves(SHORT), *choices()
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_as_litert(tmp_path: Path, case: Case) -> None:
    check(tmp_path, *written(case), relative=tolerance(case.dtype))


def test_the_largest(tmp_path: Path) -> None:
    array = np.random.default_rng(1).standard_normal((3, 20)).astype(np.float32)
    tensors = [Tensor((3, 20), REAL), constant(np.array(4, np.int32)), Tensor((3, 4), REAL), Tensor((3, 4), WORD)]
    check(tmp_path, Subgraph(tensors, [Operator("TOPK_V2", (0, 1), (2, 3), "TopKV2Options")], (0,), (2, 3)), [array])


@pytest.mark.parametrize(("axis", "shape"), [(-1, (2, 3, 5)), (0, (5, 2, 3)), (1, (2, 5, 3))])
def test_one_hot(tmp_path: Path, axis: int, shape: tuple[int, ...]) -> None:
    """Indices outside among them."""
    knowns = [constant(each) for each in (np.array(5, np.int32), np.array(2, np.float32), np.array(-1, np.float32))]
    operator = Operator("ONE_HOT", (0, 1, 2, 3), (4,), "OneHotOptions", {"Axis": axis})
    array = np.array([[0, 4, 7], [2, -1, 2]], np.int32)
    check(tmp_path, Subgraph([Tensor((2, 3), WORD), *knowns, Tensor(shape, REAL)], [operator], (0,), (4,)), [array])


def test_embedding_and_scattering(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    table = constant(random.standard_normal((6, 4)).astype(np.float32))
    operators = [Operator("EMBEDDING_LOOKUP", (0, 1), (2,)), Operator("SCATTER_ND", (3, 2, 4), (5,))]
    knowns = [constant(np.array([[2], [0], [2]], np.int32)), constant(np.array([5, 4], np.int32))]
    tensors = [Tensor((3,), WORD), table, Tensor((3, 4), REAL), *knowns, Tensor((5, 4), REAL)]
    check(tmp_path, Subgraph(tensors, operators, (0,), (2, 5)), [np.array([5, 0, 3], np.int32)], relative=1e-5)


def test_ranges_and_shapes_that_are_known(tmp_path: Path) -> None:
    """RANGE and BROADCAST_ARGS of constants, for BROADCAST_TO."""
    bounds = [constant(np.array(number, np.float32)) for number in (1.0, 6.0, 2.0)]
    shapes = [constant(np.array(shape, np.int32)) for shape in ([2, 1, 3], [4, 1])]
    tensors = [*bounds, *shapes, Tensor((3,), REAL), Tensor((3,), WORD), Tensor((2, 4, 3), REAL), Tensor((3,), REAL)]
    tensors.append(Tensor((2, 4, 3), REAL))
    operators = [
        Operator("RANGE", (0, 1, 2), (5,), "RangeOptions"),
        Operator("BROADCAST_ARGS", (3, 4), (6,)),
        Operator("BROADCAST_TO", (5, 6), (7,), "BroadcastToOptions", version=2),
        Operator("ADD", (7, 8), (9,), "AddOptions"),
    ]
    array = np.array([0.5, 1.5, -2.0], np.float32)
    check(tmp_path, Subgraph(tensors, operators, (8,), (9,)), [array], relative=1e-5)
