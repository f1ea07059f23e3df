# SPDX-License-Identifier: Apache-2.0
"""exp, 1 / (1 + x), logistic and tanh of fixed-point numbers, as gemmlowp defines them: the same bits everywhere.

Numbers are raw integers in int64; results have no integer bits. The polynomial is the expansion of exp around -1/8; the
rest of an argument is made of powers of two, each with its own factor. Quotients are three steps of Newton's method.
"""

from __future__ import annotations

import numpy as np

from stowage.ir.tflite.fixed_point import Int64s, Width

_EXP_OF_EIGHTH = 1895147668
_THIRD = 715827883
_FACTORS = {-2: 1672461947, -1: 1302514674, 0: 790015084, 1: 290630308, 2: 39332535, 3: 720401, 4: 242}
"""exp(-2**exponent) by exponent, with 31 fraction bits."""
_48_OVER_17 = 1515870810
_NEGATIVE_32_OVER_17 = -1010580540
"""With 29 fraction bits."""
_LOWEST_INTEGER_BITS_THAT_UNDERFLOW = 6


def exp_of_negative(a: Int64s, integer_bits: int, width: Width) -> Int64s:
    """exp(a) for a <= 0."""
    fraction_bits = width.bits - integer_bits
    quarter = 1 << (fraction_bits - 2)
    within = (a & (quarter - 1)) - quarter
    result = _exp_of_quarter(width.scaled(within, integer_bits), width)
    remainder = within - a
    for exponent, factor in _FACTORS.items():
        if integer_bits > exponent:
            chosen = remainder & (1 << (fraction_bits + exponent)) != 0
            result = np.where(chosen, width.product(result, width.constant(factor)), result)
    if integer_bits >= _LOWEST_INTEGER_BITS_THAT_UNDERFLOW:
        result = np.where(a < -(1 << (fraction_bits + 5)), 0, result)
    return np.where(a == 0, width.one, result)


def _exp_of_quarter(a: Int64s, width: Width) -> Int64s:
    """exp(a) for -1/4 <= a < 0, without integer bits."""
    x = a + (1 << (width.bits - 3))
    square = width.product(x, x)
    cube = width.product(square, x)
    fourth = width.scaled(width.product(square, square), -2)
    rest = width.scaled(width.product(fourth + cube, width.constant(_THIRD)) + square, -1)
    around = width.constant(_EXP_OF_EIGHTH)
    return width.saturated(around + width.product(x + rest, around))


def _reciprocal_of_half_sum(a: Int64s, width: Width) -> Int64s:
    """2 / (1 + a) for 0 <= a <= 1, with two integer bits."""
    half = (a + width.one + 1) >> 1
    x = width.constant(_48_OVER_17) + width.product(half, width.constant(_NEGATIVE_32_OVER_17))
    for _ in range(3):
        error = (1 << (width.bits - 2)) - width.product(half, x)
        x = x + width.scaled(width.product(x, error), 2)
    return x


def reciprocal_of_one_plus(a: Int64s, width: Width) -> Int64s:
    """1 / (1 + a) for 0 <= a <= 1, both without integer bits."""
    return width.scaled(_reciprocal_of_half_sum(a, width), 1)


def logistic(a: Int64s, integer_bits: int, width: Width) -> Int64s:
    """1 / (1 + exp(-a))."""
    positive = reciprocal_of_one_plus(exp_of_negative(-np.abs(a), integer_bits, width), width)
    return np.where(a == 0, (width.one + 1) >> 1, np.where(a > 0, positive, width.one - positive))


def tanh(a: Int64s, integer_bits: int, width: Width) -> Int64s:
    """Hyperbolic tangent."""
    power = exp_of_negative(-np.abs(a), integer_bits + 1, width)
    size = width.scaled(_reciprocal_of_half_sum(power, width) - (1 << (width.bits - 2)), 2)
    return np.where(a == 0, 0, np.where(a < 0, -size, size))
