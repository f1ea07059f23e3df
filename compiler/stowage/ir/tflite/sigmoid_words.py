# SPDX-License-Identifier: Apache-2.0
"""TFLite's logistic function and tanh of 16-bit tensors: a table of 1 / (1 + exp(-i / 24)), and lines in between.

An integer is brought to 1/12288 first (so that 2**17 is 10.7), which is a step of the table every 2**9; tanh(x) is
2 * logistic(2 * x) - 1, and takes a step every 2**8. Results have 15 fraction bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stowage.ir.tensor_type import Quant
from stowage.ir.tflite.fixed_point import Int64s

RESULT = Quant((2.0**-15,), (0,))
"""How results are quantised."""
ENTRIES = 256
_LAST = ENTRIES - 2
"""The last entry that a line begins at."""
_STEPS_PER_UNIT = 24
_SAME_POWER = 1e-3
_FINEST = 32767.0 / 2.0
_MOST_SHIFT = 30


@dataclass(frozen=True, slots=True)
class Argument:
    """How an integer becomes a multiple of 1/12288: (x * multiplier + 2**(shift - 1)) >> shift, exact without shift."""

    multiplier: int
    shift: int

    def of(self, x: Int64s) -> Int64s:
        """The multiples."""
        return (x * self.multiplier + self.half) >> self.shift

    @property
    def half(self) -> int:
        """What is added before the shift."""
        return 1 << (self.shift - 1) if self.shift else 0


def logistic_argument(scale: float) -> Argument:
    """That of the logistic function."""
    return _argument(scale, (-12,))


def tanh_argument(scale: float) -> Argument:
    """That of tanh."""
    return _argument(scale, (-12, -11))


def _argument(scale: float, exact_powers: tuple[int, ...]) -> Argument:
    """Exact for some powers of two; else in 15 bits, cut off, or as many as the scale's product has."""
    exponent = round(math.log2(scale))
    if exponent in exact_powers and abs(math.log2(scale) - exponent) < _SAME_POWER:
        return Argument(3 << (exponent + 12), 0)
    multiplier, shift = scale * 12288.0, 0
    while multiplier <= _FINEST and shift <= _MOST_SHIFT:
        multiplier, shift = multiplier * 2.0, shift + 1
    return Argument(int(multiplier), shift)


def sigmoid_table() -> Int64s:
    """The entries in 16 bits, each moved by half of what the line behind it is off in its middle.

    The last is where what lies beyond begins.
    """
    entries = np.arange(ENTRIES, dtype=np.float64)
    begins, middles, ends = (_sigmoid(entries + part) for part in (0.0, 0.5, 1.0))
    table: Int64s = np.floor(begins - ((begins + ends) / 2 - middles) / 2 + 0.5).astype(np.int64)
    table[-1] = 2**16 - 1
    return table


def _sigmoid(entries: NDArray[np.float64]) -> NDArray[np.float64]:
    sigmoids: NDArray[np.float64] = 2.0**16 / (1.0 + np.exp(-entries / _STEPS_PER_UNIT))
    return sigmoids


def logistic_words(x: Int64s, scale: float) -> Int64s:
    """1 / (1 + exp(-x * scale))."""
    argument = logistic_argument(scale).of(x)
    on_line = _on_line(np.abs(argument), 9, (2**15 - 1) << 10)
    return np.where(argument >= 0, on_line + (1 << 9), (1 << 25) - on_line + (1 << 9) - 1) >> 10


def tanh_words(x: Int64s, scale: float) -> Int64s:
    """tanh(x * scale)."""
    argument = tanh_argument(scale).of(x)
    above = _on_line(np.abs(argument), 8, (2**16 - 1) << 8) - (1 << 23)
    return np.where(argument >= 0, above + (1 << 7), -above + (1 << 7) - 1) >> 8


def _on_line(size: Int64s, step_bits: int, beyond: int) -> Int64s:
    """The table's lines in 16 bits and the step's; `beyond` behind the last."""
    table, place = sigmoid_table(), np.minimum(size >> step_bits, _LAST)
    within = size & ((1 << step_bits) - 1)
    lines = (table[place] << step_bits) + within * (table[place + 1] - table[place])
    return np.where(size >> step_bits > _LAST, beyond, lines)
