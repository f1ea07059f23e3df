# SPDX-License-Identifier: Apache-2.0
"""Fixed-point sums against exact rational arithmetic, and the promise that 32 bits suffice."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stowage.ir.fixed_point_add import add_multipliers, fixed_point_sum

SCALES = st.floats(min_value=2.0**-20, max_value=2.0**10)
DIFFERENCES = st.integers(-255, 255)


@given(SCALES, SCALES, SCALES, DIFFERENCES, DIFFERENCES, st.booleans())
@example(1.0, 1.0, 1.0, 255, 255, False)
@example(2.0**-20, 2.0**-20, 2.0**10, 255, -255, True)
def test_error_is_as_documented(s1: float, s2: float, sy: float, x1: int, x2: int, subtract: bool) -> None:
    if max(s1, s2) / sy >= 2.0**21:
        return
    multipliers = add_multipliers(s1, s2, sy, subtract=subtract)
    first, second = Fraction(s1) * x1 / Fraction(sy), Fraction(s2) * x2 / Fraction(sy)
    exact = first - second if subtract else first + second
    result = fixed_point_sum(np.array([x1]), np.array([x2]), multipliers).item()
    assert abs(result - exact) <= Fraction(1, 2) + Fraction(256, 2**multipliers.shift)


@given(SCALES, SCALES, SCALES, st.booleans())
@example(2.0, 2.0, 1.0, False)
@example(float(np.nextafter(2.0, 0.0)), float(np.nextafter(2.0, 0.0)), 1.0, True)
def test_nothing_overflows_32_bits(s1: float, s2: float, sy: float, subtract: bool) -> None:
    if max(s1, s2) / sy >= 2.0**21:
        return
    multipliers = add_multipliers(s1, s2, sy, subtract=subtract)
    assert 1 <= multipliers.shift <= 23
    assert max(abs(multipliers.first), abs(multipliers.second)) <= 2**22
    assert 255 * (abs(multipliers.first) + abs(multipliers.second)) + 2 ** (multipliers.shift - 1) < 2**31


def test_scales_beyond_32_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="too large for a sum at scale"):
        add_multipliers(2.0**21, 1.0, 1.0, subtract=False)
