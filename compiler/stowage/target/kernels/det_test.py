# SPDX-License-Identifier: Apache-2.0
"""Determinants against NumPy's: pivots that must be sought, singular matrices, single numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.ops.linear import Det
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import OperatorTrial, check_close, operator_trial, results, tensor


def trial(matrices: Any) -> OperatorTrial:
    data = np.asarray(matrices, np.float32)
    return operator_trial(lower, Det(), [(tensor(data.shape, DType.F32), data)])


def test_random_matrices() -> None:
    random = np.random.default_rng(9)
    shapes = [(1, 1), (3, 1, 1), (2, 2), (4, 3, 2, 2), (5, 3, 3), (3, 6, 6), (2, 9, 9)]
    check_close([trial(random.normal(size=shape)) for shape in shapes], relative=1e-4, absolute=1e-5)


def test_a_zero_where_a_pivot_would_be() -> None:
    check_close([trial([[0, 2, 1], [3, 0, 0], [0, 0, 5]]), trial([[0, 1], [1, 0]])], relative=1e-6)


def test_singular_matrices() -> None:
    singular = [trial(np.zeros((3, 3))), trial([[1, 2], [2, 4]]), trial([[0, 1, 2], [0, 3, 4], [0, 5, 6]])]
    for output in results(singular):
        np.testing.assert_array_equal(output, np.float32(0))
