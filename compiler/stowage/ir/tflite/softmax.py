# SPDX-License-Identifier: Apache-2.0
"""TFLite's softmax of an 8-bit tensor: exponentials from a table, a sum with 12 integer bits, one reciprocal a row.

With E[d] = exp(-d * scale) in 31 fraction bits, 0 where d is so large that its product with the scale has more than 5
integer bits:

    S = sum of round(E[max(x) - x] / 2**12)            12 integer bits
    R = 1 / (S * 2**k) scaled into [1/2, 1)             k such that the highest bit of S is the sign's neighbour
    y = lowest + round(E[max(x) - x] * R / 2**(43 - k - 8 …)), saturated
"""

from __future__ import annotations

import math

import numpy as np

from stowage.ir.tensor_type import Quant
from stowage.ir.tflite.fixed_point import WIDE, Int64s, divided_by_power, multiplied
from stowage.ir.tflite.transcendental import exp_of_negative, reciprocal_of_one_plus

RESULT = Quant((1 / 256,), (-128,))
"""How results are quantised."""
INTEGER_BITS = 5
"""Of the argument of the exponential."""
SUM_INTEGER_BITS = 12
LONGEST_ROW = 4096
"""Rows of more elements could leave the integer bits of the sum."""


def exponential_table(input_scale: float) -> Int64s:
    """E: exp(-d * scale) for d = 0 … 255 with 31 fraction bits, below 2**31."""
    real = min(input_scale * 2.0 ** (31 - INTEGER_BITS), 2.0**31 - 1)
    fraction, left_shift = math.frexp(real)
    multiplier = math.floor(fraction * 2**31 + 0.5)
    if multiplier == 2**31:
        multiplier, left_shift = 2**30, left_shift + 1
    differences = -np.arange(256, dtype=np.int64)
    exponentials = exp_of_negative(multiplied(differences, multiplier, left_shift), INTEGER_BITS, WIDE)
    return np.where(differences < -input_radius(INTEGER_BITS, left_shift), 0, exponentials)


def input_radius(integer_bits: int, left_shift: int) -> int:
    """How far from zero an integer may be for its product with the multiplier to have so many integer bits."""
    return math.floor(((1 << integer_bits) - 1) * 2.0 ** (31 - integer_bits) / 2.0**left_shift)


def softmax_rows(rows: Int64s, input_scale: float, output_bits: int = 8) -> Int64s:
    """Steps of 2**-output_bits along the last axis of integers of an 8-bit type, saturated above alone."""
    exponentials = exponential_table(input_scale)[rows.max(axis=-1, keepdims=True) - rows]
    sums = divided_by_power(exponentials, SUM_INTEGER_BITS).sum(axis=-1, keepdims=True)
    lengths = np.frexp(sums.astype(np.float64))[1].astype(np.int64)
    headroom = 32 - lengths
    reciprocals = reciprocal_of_one_plus((sums << headroom) - (1 << 31), WIDE)
    shifts = SUM_INTEGER_BITS - headroom + 31 - output_bits
    products = WIDE.product(exponentials, reciprocals)
    steps = np.zeros_like(products)
    for shift in np.unique(shifts):
        chosen = np.broadcast_to(shifts == shift, products.shape)
        steps[chosen] = divided_by_power(products[chosen], int(shift))
    return steps
