# SPDX-License-Identifier: Apache-2.0
"""TFLite's arithmetic on fixed-point numbers of 32 and of 16 bits, as gemmlowp defines it.

A fixed-point number with i integer bits is an integer ``raw`` of 32 (or 16) bits that stands for ``raw * 2**-f``, where
``f = 31 - i`` (or ``15 - i``). The product of numbers with i and j integer bits has i + j of them. Integers are held in
int64 here, so that nothing overflows before it is saturated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Int64s = NDArray[np.int64]


def divided_by_power(x: Int64s, exponent: int) -> Int64s:
    """RoundingDivideByPOT: x / 2**exponent to the nearest, halves away from zero."""
    mask = (1 << exponent) - 1
    threshold = (mask >> 1) + (x < 0)
    return (x >> exponent) + ((x & mask) > threshold)


@dataclass(frozen=True, slots=True)
class Width:
    """Fixed-point numbers of one width.

    Attributes:
        bits: of a number without its sign: 31 or 15.
    """

    bits: int

    @property
    def one(self) -> int:
        """The largest number without integer bits, which stands for one."""
        return (1 << self.bits) - 1

    def constant(self, raw: int) -> int:
        """A constant given in 32 bits."""
        return int(divided_by_power(np.array(raw, np.int64), 31 - self.bits))

    def saturated(self, x: Int64s) -> Int64s:
        """x within what the width can hold."""
        return np.clip(x, -self.one - 1, self.one)

    def product(self, a: Int64s, b: Int64s | int) -> Int64s:
        """SaturatingRoundingDoublingHighMul: a * b / 2**bits to the nearest, halves upwards."""
        return self.saturated((a * b + (1 << (self.bits - 1))) >> self.bits)

    def scaled(self, x: Int64s, exponent: int) -> Int64s:
        """SaturatingRoundingMultiplyByPOT: x * 2**exponent."""
        return divided_by_power(x, -exponent) if exponent < 0 else self.saturated(x << exponent)


WIDE = Width(31)
NARROW = Width(15)


def multiplied(x: Int64s, multiplier: int, left_shift: int) -> Int64s:
    """MultiplyByQuantizedMultiplier, rounding twice: x * multiplier * 2**(left_shift - 31)."""
    shifted = WIDE.saturated(x << max(left_shift, 0))
    return divided_by_power(WIDE.product(shifted, multiplier), max(-left_shift, 0))
