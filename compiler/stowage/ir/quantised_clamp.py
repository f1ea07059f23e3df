# SPDX-License-Identifier: Apache-2.0
"""The integers that a quantised output may take: its type's range, narrowed by a fused activation."""

from __future__ import annotations

import math

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.tensor_type import TensorType

Bounds = tuple[int, int]


def integer_range(dtype: DType) -> Bounds:
    """(lowest, highest) integer of an integer type."""
    limits = np.iinfo(dtype.numpy.name)
    return int(limits.min), int(limits.max)


def quantised_bounds(clamp: tuple[float, float] | None, output: TensorType) -> Bounds:
    """(lowest, highest) integer of a per-tensor quantised output whose reals stay within `clamp`.

    A bound is the quantised real: round_half_even(real / scale) + zero point, saturated to the type; quantising is
    monotonic, so clamping integers is the same as clamping reals before they are quantised.
    """
    bounds = integer_range(output.dtype)
    if clamp is None:
        return bounds
    lowest, highest = (quantise_real(real, output) for real in clamp)
    return lowest, highest


def quantise_real(real: float, output: TensorType) -> int:
    """The integer that stands for a real (infinities allowed) in a per-tensor quantised type, saturated."""
    assert output.quant is not None
    lowest, highest = integer_range(output.dtype)
    quotient = real / output.quant.scale
    if math.isinf(quotient):
        return highest if quotient > 0 else lowest
    return min(max(round(quotient) + output.quant.zero_point, lowest), highest)
