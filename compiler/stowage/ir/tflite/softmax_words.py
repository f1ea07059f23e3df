# SPDX-License-Identifier: Apache-2.0
"""TFLite's softmax of 16-bit tensors: exp and 1 / (1 + x) from tables of 512 lines, with 15 fraction bits.

With d the distance from the row's largest number, in steps of 10 / 65535, and E[d] = exp(-d), at least exp(-10):

    S = sum of E[d]
    R = 1 / (S * 2**k), the power such that it is from 1/2 to 1
    y = E[d] * R * 2**k, halves upwards
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from stowage.ir.requantise import Multiplier, quantise_multiplier
from stowage.ir.tflite.fixed_point import Int64s, multiplied

LONGEST_ROW = 2**15
"""Of more elements a sum could have more than 30 bits."""
_LINES = 512
_LINE_BITS = 7
_ONE = 2**15
_DEEPEST = -10.0
"""The least exponent that the table has."""
Reals = NDArray[np.float64]


def distance_multiplier(scale: float) -> Multiplier:
    """From the integers' scale to steps of 10 / 65535."""
    return quantise_multiplier(scale / (-_DEEPEST / 65535.0))


def exponential_words() -> Int64s:
    """exp from -10 to 0."""
    return _table(np.exp, _DEEPEST, 0.0)


def reciprocal_words() -> Int64s:
    """1 / (1 + x) from 0 to 1."""
    return _table(lambda x: 1.0 / (1.0 + x), 0.0, 1.0)


def _table(function: Callable[[Reals], Reals], least: float, most: float) -> Int64s:
    """The begins of the lines, each moved by half of what its line is off in its middle, and the end of the last."""
    step = (most - least) / _LINES
    places = (least + np.arange(_LINES) * step).astype(np.float64)
    begins, middles, ends = (_ONE * function(places + part * step) for part in (0.0, 0.5, 1.0))
    off = _rounded((ends + _rounded(begins)) / 2) - _rounded(middles)
    last = _rounded(_ONE * function(np.array([most])))
    table = np.concatenate([_rounded(begins) - _rounded(off / 2), last])
    words: Int64s = np.clip(table, -_ONE, _ONE - 1).astype(np.int64)
    return words


def _rounded(x: Reals) -> Reals:
    """To the nearest, halves away from zero."""
    whole: Reals = np.copysign(np.floor(np.abs(x) + 0.5), x)
    return whole


def _looked_up(table: Int64s, x: Int64s) -> Int64s:
    """The table's lines over all 16-bit numbers, those beyond saturated."""
    x = np.clip(x, -_ONE, _ONE - 1)
    line, within = _LINES // 2 + (x >> _LINE_BITS), x & ((1 << _LINE_BITS) - 1)
    rise: Int64s = ((table[line + 1] - table[line]) * within + (1 << (_LINE_BITS - 1))) >> _LINE_BITS
    looked_up: Int64s = table[line] + rise
    return looked_up


def softmax_of_words(rows: Int64s, scale: float) -> Int64s:
    """Shares along the last axis with 15 fraction bits."""
    by = distance_multiplier(scale)
    distances = multiplied(rows - rows.max(axis=-1, keepdims=True), by.value, 31 - by.shift)
    exponentials = _looked_up(exponential_words(), distances + _ONE - 1)
    sums = exponentials.sum(axis=-1, keepdims=True)
    bits = np.frexp(sums.astype(np.float64))[1].astype(np.int64)
    fractions = ((sums << (31 - bits)) + (1 << 13)) >> 14
    reciprocals = _looked_up(reciprocal_words(), fractions - 3 * _ONE)
    shifts = bits - 1
    shares: Int64s = (exponentials * reciprocals + (np.int64(1) << (shifts - 1))) >> shifts
    return shares
