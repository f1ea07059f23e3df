# SPDX-License-Identifier: Apache-2.0
"""LeakyRelu of 16-bit tensors in TFLite's arithmetic, on every integer, against the reference."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array
from stowage.ir.ops.elementwise import LeakyRelu
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_equal,
    check_overlaps,
    distinct,
    operator_trial,
    tensor,
)

EVERY = np.arange(-(2**15), 2**15).astype(np.int16)


def trial(array: Array, alpha: float, result_scale: float) -> OperatorTrial:
    source, result = (tensor(array.shape, DType.I16, float(np.float32(scale))) for scale in (1e-3, result_scale))
    return operator_trial(lower, LeakyRelu(alpha), [(source, array)], result=result, arithmetic=Arithmetic.TFLITE)


@pytest.mark.parametrize("sanitise", [False, True])
def test_leaky_relu(sanitise: bool) -> None:
    """From results that are rounded away to those that saturate at once."""
    made = [trial(EVERY, alpha, scale) for alpha in (0.2, -0.6, 3.7, 0.0) for scale in (1e-3, 2e-3, 4e-6, 50.0, 2e-7)]
    assert made[0].call.function == "stw_leaky_relu_s16"
    check_equal(made, sanitise=sanitise)


def test_it_may_lie_over_its_operand() -> None:
    array = distinct(np.random.default_rng(2), tensor((200,), DType.I16, 1.0))
    check_overlaps([trial(array, 1.0, 1e-3)], exact_at_zero=True)


def test_scales_too_far_apart_are_refused() -> None:
    with pytest.raises(NoKernel, match="too small beside"):
        trial(EVERY, 0.2, 1e-9)
