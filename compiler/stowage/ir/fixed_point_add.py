# SPDX-License-Identifier: Apache-2.0
"""Sum or difference of two 8-bit quantised tensors in 32-bit fixed point.

The real sum ``s1 * (x1 - z1) + s2 * (x2 - z2)`` over the output's scale is, with M1 ~ s1 / sy * 2**shift and M2 ~ s2
/ sy * 2**shift (M2 negative for a difference):

    acc = (x1 - z1) * M1 + (x2 - z2) * M2
    y   = clamp(zy + ((acc + (1 << (shift - 1))) >> shift), lowest, highest)

with an arithmetic shift, so halves go upwards. The larger of |M1|, |M2| lies in [2**21, 2**22] unless that needs a
shift above 23, where it is smaller. Since |x - z| <= 255 for 8-bit types whose zero point lies in their range, |acc|
+ half is below 2**31: nothing overflows 32 bits, whether zero points are subtracted first or gathered into one
offset. Rounding M1 and M2 adds at most 255 * 2**-shift to the error of one half; with s1, s2 <= sy that is below
0.0001 of a step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Int64s = NDArray[np.int64]
MULTIPLIER_BITS = 22
MAX_SHIFT = 23


@dataclass(frozen=True, slots=True)
class AddMultipliers:
    """M1, M2 and their common shift."""

    first: int
    second: int
    shift: int


def add_multipliers(first_scale: float, second_scale: float, output_scale: float, *, subtract: bool) -> AddMultipliers:
    """The multipliers of a sum, or of a difference where `subtract`.

    Raises:
        ValueError: an operand's scale is two million times the output's or more (2**21), which 32 bits cannot hold.
    """
    first, second = first_scale / output_scale, second_scale / output_scale
    _, exponent = math.frexp(max(first, second))
    shift = min(MULTIPLIER_BITS - exponent, MAX_SHIFT)
    if shift < 1:
        raise ValueError(f"scales {first_scale} and {second_scale} are too large for a sum at scale {output_scale}")
    rounded = [math.floor(real * 2**shift + 0.5) for real in (first, second)]
    return AddMultipliers(rounded[0], -rounded[1] if subtract else rounded[1], shift)


def fixed_point_sum(first: Int64s, second: Int64s, multipliers: AddMultipliers) -> Int64s:
    """The sum of operands without their zero points, at the output's scale, without its zero point and not yet
    clamped."""
    acc = first * multipliers.first + second * multipliers.second
    return (acc + (1 << (multipliers.shift - 1))) >> multipliers.shift
