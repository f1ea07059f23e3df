# SPDX-License-Identifier: Apache-2.0
"""Requantisation: an integer accumulator times a positive real, rounded, in integer arithmetic alone.

This is the definition that `runtime/include/stowage/core/requantise.h` follows bit for bit. A multiplier stands for
the real ``value * 2**-shift`` with ``2**30 <= value < 2**31`` (or ``value == 0``) and ``1 <= shift <= 62``. With
``>>`` the arithmetic shift (floor):

* `Rounding.ONCE`, halves upwards, in 64 bits: ``(acc * value + (1 << (shift - 1))) >> shift``.
* `Rounding.AWAY`, once, but halves away from zero: that of the magnitude, with the sign of `acc`.
* `Rounding.TWICE` is the double rounding of TFLite's reference ``MultiplyByQuantizedMultiplier`` (after gemmlowp)
  with its exponent ``31 - shift``, which it splits into ``left = max(31 - shift, 0)`` and ``right = max(shift - 31,
  0)``:

  1. ``x = acc << left``, saturated to 32 bits (TFLite leaves an overflow undefined);
  2. SaturatingRoundingDoublingHighMul: ``h = (x * value + nudge) / 2**31`` dividing towards zero, where ``nudge`` is
     ``2**30`` for a product that is not negative and ``1 - 2**30`` for one that is. That is ``(x * value + (1 << 30))
     >> 31``: halves upwards;
  3. RoundingDivideByPOT: ``h / 2**right`` rounded to nearest, halves away from zero.

Accumulators are 32-bit. A result of one rounding can need more than 32 bits where ``shift < 31`` (a multiplier of one
or more); the zero point is added and the sum clamped as if no step overflowed.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Int64s = NDArray[np.int64]


class Rounding(enum.Enum):
    """How a product is rounded to a whole number."""

    ONCE = "once"
    TWICE = "twice"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Multiplier:
    """A positive real in fixed point: value * 2**-shift."""

    value: int
    shift: int


ZERO = Multiplier(value=0, shift=31)


class MultiplierTooLarge(ValueError):
    """The scales of an operator are too far apart for a multiplier in fixed point."""


def quantise_multiplier(real: float) -> Multiplier:
    """The multiplier nearest to a real (halves upwards), as TFLite's QuantizeMultiplier; below 2**-32 it is zero.

    Raises:
        MultiplierTooLarge: `real` is too large (2**30 and above), or not a number.
    """
    if not 0 <= real < 2**30:
        raise MultiplierTooLarge(f"a requantisation multiplier must be at least 0 and below 2**30, not {real}")
    fraction, exponent = math.frexp(real)
    value = math.floor(fraction * 2**31 + 0.5)
    if value == 2**31:
        value, exponent = 2**30, exponent + 1
    if exponent > 30:
        raise MultiplierTooLarge(f"a requantisation multiplier must be below 2**30 after rounding, not {real}")
    return Multiplier(value, 31 - exponent) if value and exponent >= -31 else ZERO


def requantise(acc: ArrayLike, multiplier: Multiplier | Sequence[Multiplier], rounding: Rounding) -> Int64s:
    """acc * multiplier rounded so; several multipliers are one for each entry of the last axis."""
    several = [multiplier] if isinstance(multiplier, Multiplier) else multiplier
    values = np.array([one.value for one in several], dtype=np.int64)
    shifts = np.array([one.shift for one in several], dtype=np.int64)
    rounded: Int64s = _ROUNDINGS[rounding](np.asarray(acc, dtype=np.int64), values, shifts)
    return rounded.reshape(np.shape(acc))


def _round_once(acc: Int64s, value: Int64s, shift: Int64s) -> Int64s:
    return (acc * value + (np.int64(1) << (shift - 1))) >> shift


def _round_away(acc: Int64s, value: Int64s, shift: Int64s) -> Int64s:
    return np.sign(acc) * _round_once(np.abs(acc), value, shift)


def _round_twice(acc: Int64s, value: Int64s, shift: Int64s) -> Int64s:
    shifted = np.clip(acc << np.maximum(31 - shift, 0), -(2**31), 2**31 - 1)
    high = (shifted * value + (1 << 30)) >> 31
    return _rounding_divide_by_power(high, np.maximum(shift - 31, 0))


def _rounding_divide_by_power(x: Int64s, exponent: Int64s) -> Int64s:
    mask = (np.int64(1) << exponent) - 1
    threshold = (mask >> 1) + (x < 0)
    return (x >> exponent) + ((x & mask) > threshold)


_ROUNDINGS = {Rounding.ONCE: _round_once, Rounding.TWICE: _round_twice, Rounding.AWAY: _round_away}
