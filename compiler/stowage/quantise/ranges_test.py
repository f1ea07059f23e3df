# SPDX-License-Identifier: Apache-2.0
"""Histograms, ranges and the quantisations that cover them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stowage.quantise.histogram import BINS, histogram, together
from stowage.quantise.observe import Observation
from stowage.quantise.range import PROBABILITIES, SIGNED_UNIT, Range
from stowage.quantise.ranges import RANGES, divergence, mean_square, min_max, percentile

Floats = NDArray[np.float64]
BOUNDS = st.floats(-1e6, 1e6, allow_nan=False, width=32)


def _seen(numbers: Floats) -> Observation:
    range_ = Range(float(numbers.min()), float(numbers.max()))
    return Observation(range_, np.abs(numbers), numbers, histogram(numbers))


@settings(deadline=None)
@given(BOUNDS, BOUNDS)
def test_a_quantisation_covers_its_range_and_has_zero_among_its_integers(first: float, second: float) -> None:
    range_ = Range(min(first, second), max(first, second))
    quant = range_.quant
    lowest, highest = (quant.scale * (end - quant.zero_point) for end in (-128, 127))
    assert -128 <= quant.zero_point <= 127
    assert lowest - quant.scale <= range_.lowest <= 0 <= range_.highest <= highest + quant.scale
    assert quant.scale <= max(1.0001 * range_.width / 255, 1e-37) or range_.width == 0


def test_ends_that_operators_reach_are_integers() -> None:
    for range_ in (PROBABILITIES, SIGNED_UNIT):
        quant = range_.quant
        assert quant.scale * (127 - quant.zero_point) == pytest.approx(1.0, abs=1e-7)


@settings(deadline=None)
@given(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.integers(0, 99))
def test_histograms_together_count_what_one_would(first: float, second: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    a, b = first * random.standard_normal(500), second * random.standard_normal(500)
    one = histogram(np.concatenate([a, b]))
    both = together(histogram(a), histogram(b))
    assert both.reach == one.reach and both.counts.sum() == 1000
    # A number on a border may fall to either side of it.
    assert np.abs(np.cumsum(both.counts) - np.cumsum(one.counts)).max() <= 2


def test_the_histogram_has_each_number_in_its_part() -> None:
    found = histogram(np.array([-3.0, 0.0, 0.5, 3.999, 4.0]))
    assert found.reach == 8.0
    places = np.flatnonzero(found.counts)
    assert [(found.edges[k], found.edges[k + 1]) for k in places] == [
        (x, x + 16 / BINS) for x in (-3.0, 0.0, 0.5, 3.998046875, 4.0)
    ]


@pytest.mark.parametrize("name", sorted(RANGES))
def test_no_way_leaves_what_was_seen(name: str) -> None:
    numbers = np.random.default_rng(1).standard_normal(5000)
    chosen, seen = RANGES[name](_seen(numbers)), Range(float(numbers.min()), float(numbers.max()))
    assert seen.lowest - 1e-9 <= chosen.lowest < -1 and 1 < chosen.highest <= seen.highest + 1e-9


def test_outliers_are_clipped_but_by_min_max() -> None:
    numbers = np.concatenate([np.random.default_rng(2).standard_normal(100_000), [50.0]])
    assert min_max(_seen(numbers)).highest == 50.0
    for way, most in ((percentile, 5.0), (mean_square, 45.0), (divergence, 45.0)):
        assert way(_seen(numbers)).highest < most, way.__name__


def test_the_least_mean_square_is_that_of_numbers_quantised_so() -> None:
    numbers = np.random.default_rng(3).standard_t(3, 20_000)

    def error(range_: Range) -> float:
        quant = range_.quant
        steps = np.clip(np.rint(numbers / quant.scale) + quant.zero_point, -128, 127)
        return float(np.mean((quant.scale * (steps - quant.zero_point) - numbers) ** 2))

    seen = _seen(numbers)
    best = error(mean_square(seen))
    parts = [error(Range(seen.range.lowest * a, seen.range.highest * b)) for a in (1, 0.6, 0.3) for b in (1, 0.6, 0.3)]
    assert best <= 1.02 * min(parts)
    assert best < 0.96 * error(seen.range)


def test_widened_bounds_do_not_hang_on_last_digits() -> None:
    range_ = Range(-0.1234567, 7.654321)
    near = Range(-0.1234567 * (1 + 1e-7), 7.654321 * (1 - 1e-7))
    assert range_.widened == near.widened
    assert range_.widened.lowest <= range_.lowest and range_.widened.highest >= range_.highest
    assert range_.widened.width <= 1.002 * range_.width
