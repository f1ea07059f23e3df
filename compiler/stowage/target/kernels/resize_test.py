# SPDX-License-Identifier: Apache-2.0
"""Bilinear interpolation of integers in TFLite's arithmetic against the reference, bit for bit, and its overlaps."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic
from stowage.ir.ops.movement import Resize
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_equal,
    check_overlaps,
    distinct,
    integers,
    operator_trial,
    tensor,
)

TYPES = {DType.I8: tensor((2, 5, 4, 3), DType.I8, 0.05, -3), DType.I16: tensor((2, 5, 4, 3), DType.I16, 0.002)}
SIZES = [(5, 4), (10, 8), (3, 7), (9, 2), (1, 1)]


def trial(
    random: np.random.Generator, dtype: DType, size: tuple[int, int], coordinates: str, *, apart: bool = False
) -> OperatorTrial:
    type_ = TYPES[dtype]
    op = Resize(size, (size[0] / 5, size[1] / 4), "linear", coordinates)
    array = distinct(random, type_) if apart else integers(random, type_)
    return operator_trial(
        lower, op, [(type_, array)], result=op.result_types((type_,))[0], arithmetic=Arithmetic.TFLITE
    )


@pytest.mark.parametrize("sanitise", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_resizing(dtype: DType, sanitise: bool) -> None:
    random = np.random.default_rng(3)
    ways = ("asymmetric", "half_pixel", "align_corners")
    made = [trial(random, dtype, size, way) for size in SIZES for way in ways]
    assert made[0].call.function.startswith("stw_resize_linear_tflite_s")
    check_equal(made, sanitise=sanitise)


@pytest.mark.parametrize("dtype", TYPES)
def test_overlaps(dtype: DType) -> None:
    """Places that fall on whole elements, so that no rounding hides a spoiled one."""
    random = np.random.default_rng(4)
    check_overlaps([trial(random, dtype, size, "asymmetric", apart=True) for size in SIZES])
