# SPDX-License-Identifier: Apache-2.0
"""An interval of reals, and the 8-bit quantisation that covers it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stowage.ir.tensor_type import Quant

_STEPS = 255
_LOWEST = -128
_DIGITS = 10
_TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True, slots=True)
class Range:
    """Reals from `lowest` to `highest`; zero is always among them."""

    lowest: float
    highest: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "lowest", min(float(self.lowest), 0.0))
        object.__setattr__(self, "highest", max(float(self.highest), 0.0))

    @property
    def width(self) -> float:
        """The distance from end to end."""
        return self.highest - self.lowest

    def with_(self, other: Range) -> Range:
        """The smallest range that covers both."""
        return Range(min(self.lowest, other.lowest), max(self.highest, other.highest))

    @property
    def widened(self) -> Range:
        """A little more, with bounds of few digits.

        So they do not hang on the last digit of sums, which processors add up in different orders.
        """
        return Range(_wider(self.lowest), _wider(self.highest))

    @property
    def quant(self) -> Quant:
        """The quantisation to i8 with the smallest step: zero is an integer, so that padding is exact."""
        scale = max(float(np.float32(self.width / _STEPS)), _TINY) if self.width > 0 else 1.0
        zero_point = round(_LOWEST - self.lowest / scale)
        return Quant((scale,), (min(max(zero_point, _LOWEST), _LOWEST + _STEPS),))


def _wider(bound: float) -> float:
    """The next number away from zero that has few binary digits."""
    digits, exponent = math.frexp(bound)
    return math.copysign(math.ldexp(math.ceil(abs(digits) * 2**_DIGITS), exponent - _DIGITS), bound)


PROBABILITIES = Range(0.0, 1.0)
SIGNED_UNIT = Range(-128 / 127, 1.0)
"""Both ends are integers, and so is zero."""
