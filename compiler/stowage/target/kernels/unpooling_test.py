# SPDX-License-Identifier: Apache-2.0
"""Indices of the largest elements, and what puts numbers back there, against the reference."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops.unpooling import MaxPoolIndices, Unpool
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import check_equal, integers, operator_trial, reals, tensor

RANDOM = np.random.default_rng(13)
WINDOWS = [
    MaxPoolIndices((2, 2, 3)),
    MaxPoolIndices((3, 2, 2), (2, 1, 2), (1, 1, 0, 2, 0, 1), (1, 2, 1)),
    MaxPoolIndices((1, 2, 2), (1, 2, 2), column_major=True),
]


@pytest.mark.parametrize("dtype", [DType.F32, DType.I8])
def test_indices_of_the_largest(dtype: DType) -> None:
    trials = []
    for op in WINDOWS:
        type_ = tensor((2, 4, 5, 6, 3), dtype)
        data = integers(RANDOM, type_) if dtype is DType.I8 else np.rint(reals(RANDOM, type_))
        trials.append(operator_trial(lower, op, [(type_, data)]))
    check_equal(trials)
    check_equal(trials, sanitise=True)


def test_numbers_put_back_at_any_index() -> None:
    far = np.iinfo(np.int64)
    types = tensor((7,), DType.F32), tensor((7,), DType.I64)
    indices = np.array([3, 3, -1, 0, far.max, far.min, 12], np.int64)
    check_equal(
        [operator_trial(lower, Unpool((3, 4)), list(zip(types, (reals(RANDOM, types[0]), indices), strict=True)))]
    )
