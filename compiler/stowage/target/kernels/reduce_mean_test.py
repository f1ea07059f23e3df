# SPDX-License-Identifier: Apache-2.0
"""Means of 16-bit tensors in TFLite's arithmetic against the reference, and their overlaps."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic
from stowage.ir.ops.reduction import ReduceMean
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_equal,
    check_overlaps,
    distinct,
    integers,
    operator_trial,
    tensor,
)

CASES = [((1, 7, 7, 5), (1, 2)), ((2, 3, 4), (2,)), ((3, 5), (0,)), ((2, 3, 4, 5), (0, 2))]


def trial(random: np.random.Generator, shape: tuple[int, ...], axes: tuple[int, ...], *, apart: bool) -> OperatorTrial:
    source = tensor(shape, DType.I16, 1e-3)
    (made,) = ReduceMean(axes, keepdims=False).result_types((source,))
    result = tensor(made.shape, DType.I16, 1e-3 if apart else float(np.float32(1e-3 * np.exp(random.uniform(-2, 2)))))
    array = distinct(random, source) if apart else integers(random, source)
    op = ReduceMean(axes, keepdims=False)
    return operator_trial(lower, op, [(source, array)], result=result, arithmetic=Arithmetic.TFLITE)


@pytest.mark.parametrize("sanitise", [False, True])
def test_means(sanitise: bool) -> None:
    random = np.random.default_rng(1)
    made = [trial(random, *case, apart=False) for case in CASES for _ in range(8)]
    assert made[0].call.function == "stw_reduce_mean_s16"
    check_equal(made, sanitise=sanitise)


def test_overlaps() -> None:
    random = np.random.default_rng(2)
    check_overlaps([trial(random, *case, apart=True) for case in CASES])


def test_sums_beyond_32_bits_are_refused() -> None:
    with pytest.raises(NoKernel, match="mean of 32768 quantised elements"):
        trial(np.random.default_rng(3), (2**15, 2), (0,), apart=False)
