# SPDX-License-Identifier: Apache-2.0
"""The largest and smallest elements along an axis, against a stable sort: ties, extremes, infinities, zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops.selection import TopK
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import OperatorTrial, check_equal, integers, operator_trial, tensor

WIDTHS = [DType.I8, DType.I16, DType.I32, DType.I64, DType.U8, DType.U16, DType.U32, DType.U64]


def trials(data: Any) -> list[OperatorTrial]:
    """Both ways along every axis, few elements and all."""
    operand = (tensor(data.shape, DType.of(data.dtype)), data)
    return [
        operator_trial(lower, TopK(axis, count, largest), [operand])
        for axis, extent in enumerate(data.shape)
        for count in {1, (extent + 1) // 2, extent}
        for largest in (True, False)
    ]


@pytest.mark.parametrize("dtype", WIDTHS)
def test_integers(dtype: DType) -> None:
    type_ = tensor((4, 7, 3), dtype)
    data = integers(np.random.default_rng(3), type_)
    limits = np.iinfo(dtype.numpy.name)
    data[0, :4, 0] = [limits.min, limits.max, limits.min, limits.max]
    check_equal(trials(data), sanitise=True)


@pytest.mark.parametrize("dtype", [DType.I8, DType.I64, DType.F32])
def test_of_equals_the_first_comes_first(dtype: DType) -> None:
    data = np.random.default_rng(4).integers(-1, 2, (5, 9)).astype(dtype.numpy.name)
    check_equal(trials(data), sanitise=True)


def test_reals() -> None:
    data = np.random.default_rng(5).normal(size=(4, 9, 3)).astype(np.float32)
    data[1, :6, 1] = [np.inf, -np.inf, 0.0, -0.0, 1e-45, -1e-45]
    data[2, :4, 0] = [-0.0, 0.0, -0.0, 0.0]
    check_equal(trials(data), sanitise=True)


def test_what_is_no_number_is_beyond_all_numbers() -> None:
    data = np.array([[1, np.nan, np.inf, -np.nan]], np.float32)
    most, least = (
        operator_trial(lower, TopK(1, 4, largest), [(tensor((1, 4), DType.F32), data)]) for largest in (True, False)
    )
    assert most.call.function == least.call.function == "stw_top_k_f32"
    expected = np.array([[1, 2, 0, 3]], np.int64)
    check_equal([OperatorTrial(most.node, most.call, (data,), expected)], sanitise=True)
    check_equal([OperatorTrial(least.node, least.call, (data,), expected[:, ::-1])], sanitise=True)
