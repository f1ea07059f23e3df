# SPDX-License-Identifier: Apache-2.0
"""Requantisation against exact rational arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stowage.ir.requantise import ZERO, Multiplier, Rounding, quantise_multiplier, requantise

ACCUMULATORS = st.integers(-(2**31), 2**31 - 1)
MULTIPLIERS = st.builds(Multiplier, st.integers(2**30, 2**31 - 1), st.integers(1, 62))
NEAREST = (Rounding.ONCE, Rounding.TWICE)
DOWNSCALING = st.builds(Multiplier, st.integers(2**30, 2**31 - 1), st.integers(31, 62))


def real_of(multiplier: Multiplier) -> Fraction:
    return Fraction(multiplier.value, 2**multiplier.shift)


def half_away(x: Fraction) -> int:
    """Nearest integer, halves away from zero."""
    return math.floor(abs(x) + Fraction(1, 2)) * (1 if x >= 0 else -1)


@given(st.floats(min_value=2.0**-31, max_value=2.0**29))
@example(1.0)
@example(math.nextafter(1.0, 0.0))
@example(0.5)
def test_multiplier_is_the_nearest_of_31_bits(real: float) -> None:
    multiplier = quantise_multiplier(real)
    assert 2**30 <= multiplier.value < 2**31
    assert 1 <= multiplier.shift <= 62
    assert abs(real_of(multiplier) - Fraction(real)) <= Fraction(1, 2 ** (multiplier.shift + 1))


@pytest.mark.parametrize("real", [0.0, 5e-324, 2.0**-40, 2.0**-33])
def test_tiny_multiplier_is_zero(real: float) -> None:
    assert quantise_multiplier(real) == ZERO
    assert requantise(2**31 - 1, ZERO, Rounding.ONCE) == 0
    assert requantise(-(2**31), ZERO, Rounding.TWICE) == 0


@pytest.mark.parametrize("real", [-1.0, math.nan, math.inf, 2.0**30, math.nextafter(2.0**30, 0.0)])
def test_impossible_multiplier_is_refused(real: float) -> None:
    with pytest.raises(ValueError, match="requantisation multiplier must be"):
        quantise_multiplier(real)


@given(ACCUMULATORS, MULTIPLIERS)
def test_once_is_the_exact_product_rounded_half_up(acc: int, multiplier: Multiplier) -> None:
    assert requantise(acc, multiplier, Rounding.ONCE) == math.floor(acc * real_of(multiplier) + Fraction(1, 2))


def doubling_high_product(a: int, b: int) -> int:
    """gemmlowp's SaturatingRoundingDoublingHighMul as it is written: a nudge by the sign, a division towards zero."""
    nudged = a * b + (2**30 if a * b >= 0 else 1 - 2**30)
    return abs(nudged) // 2**31 * (1 if nudged >= 0 else -1)


@given(ACCUMULATORS, DOWNSCALING)
@example(-(2**31), Multiplier(2**31 - 1, 62))
@example(-3, Multiplier(2**30, 31))
def test_tflite_rounds_the_high_product_and_then_the_quotient(acc: int, multiplier: Multiplier) -> None:
    high = doubling_high_product(acc, multiplier.value)
    expected = half_away(Fraction(high, 2 ** (multiplier.shift - 31)))
    assert requantise(acc, multiplier, Rounding.TWICE) == expected


@given(st.integers(-(2**20), 2**20 - 1), st.integers(2**30, 2**31 - 1), st.integers(20, 30))
def test_tflite_shifts_left_before_it_multiplies(acc: int, value: int, shift: int) -> None:
    expected = doubling_high_product(acc << (31 - shift), value)
    assert requantise(acc, Multiplier(value, shift), Rounding.TWICE) == expected


def test_tflite_saturates_where_the_left_shift_leaves_32_bits() -> None:
    assert requantise(2**30, Multiplier(2**30, 30), Rounding.TWICE) == 2**30
    assert requantise(-(2**31), Multiplier(2**30, 20), Rounding.TWICE) == -(2**30)


@given(st.integers(-(2**24), 2**24), st.integers(2**30, 2**31 - 1), st.integers(32, 50))
def test_once_and_twice_are_at_most_one_apart(acc: int, value: int, shift: int) -> None:
    once, twice = (requantise(acc, Multiplier(value, shift), rounding) for rounding in NEAREST)
    assert abs(once - twice) <= 1


def test_they_do_differ() -> None:
    once, twice = (requantise(-2, Multiplier(2**30, 32), rounding).item() for rounding in NEAREST)
    assert (once, twice) == (0, -1)


@given(st.lists(st.tuples(ACCUMULATORS, MULTIPLIERS), min_size=1, max_size=5))
def test_one_multiplier_for_each_channel(pairs: list[tuple[int, Multiplier]]) -> None:
    accs, multipliers = [acc for acc, _ in pairs], [multiplier for _, multiplier in pairs]
    for rounding in Rounding:
        expected = [requantise(acc, multiplier, rounding) for acc, multiplier in pairs]
        np.testing.assert_array_equal(requantise([accs, accs], multipliers, rounding), [expected, expected])


@given(ACCUMULATORS, MULTIPLIERS)
def test_away_is_the_exact_product_rounded_half_away(acc: int, multiplier: Multiplier) -> None:
    assert requantise(acc, multiplier, Rounding.AWAY) == half_away(acc * real_of(multiplier))
