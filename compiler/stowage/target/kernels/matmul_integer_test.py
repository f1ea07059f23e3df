# SPDX-License-Identifier: Apache-2.0
"""Products of plain integers against the reference: every type, vectors, batches that broadcast, sums that wrap."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops.linear import MatMul
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel
from stowage.target.kernels.operator_trial import OperatorTrial, check_equal, integers, operator_trial, tensor

SHAPES = [((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((2, 1, 3, 4), (5, 4, 2)), ((1, 1), (1, 1))]


def trial(dtype: DType, first: tuple[int, ...], second: tuple[int, ...]) -> OperatorTrial:
    random = np.random.default_rng(1)
    operands = [(tensor(shape, dtype), integers(random, tensor(shape, dtype))) for shape in (first, second)]
    return operator_trial(lower, MatMul(), operands)


@pytest.mark.parametrize("dtype", [DType.I32, DType.I64, DType.U32, DType.U64])
def test_products(dtype: DType) -> None:
    check_equal([trial(dtype, *shapes) for shapes in SHAPES], sanitise=True)


def test_narrow_integers_are_refused() -> None:
    with pytest.raises(NoKernel, match="matmul of i16"):
        trial(DType.I16, (2, 2), (2, 2))
