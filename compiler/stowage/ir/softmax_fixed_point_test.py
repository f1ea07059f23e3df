# SPDX-License-Identifier: Apache-2.0
"""Integer softmax against softmax in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stowage.ir.requantise import Rounding, requantise
from stowage.ir.softmax_fixed_point import probability_multiplier, softmax_rows, sum_shift

SCALES = st.floats(min_value=2.0**-16, max_value=4.0)


def real_softmax(rows: NDArray[np.int64], scale: float) -> NDArray[np.float64]:
    exponentials: NDArray[np.float64] = np.exp((rows - rows.max(axis=-1, keepdims=True)) * scale)
    probabilities: NDArray[np.float64] = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return probabilities


@settings(deadline=None)
@given(
    st.sampled_from([1, 2, 3, 10, 255, 256, 257, 4096, 65536]), SCALES, st.integers(0, 2**32 - 1), st.integers(0, 255)
)
def test_probabilities_have_the_documented_error(count: int, scale: float, seed: int, spread: int) -> None:
    rows = np.random.default_rng(seed).integers(-128, -127 + spread, size=(2, count))
    rows[:, seed % count] = 127
    exact = real_softmax(rows, scale)
    error = np.abs(softmax_rows(rows, scale) * 2.0**-30 - exact)
    assert np.all(error <= exact * 2.0 ** (sum_shift(count) - 28) + 2.0**-29)


@settings(deadline=None)
@given(st.integers(1, 300), SCALES, st.floats(min_value=2.0**-9, max_value=2.0**-4), st.integers(0, 2**32 - 1))
def test_steps_are_within_one_of_the_real_softmax(count: int, scale: float, output_scale: float, seed: int) -> None:
    rows = np.random.default_rng(seed).integers(-128, 128, size=(2, count))
    steps = requantise(softmax_rows(rows, scale), probability_multiplier(output_scale), Rounding.ONCE)
    assert np.all(np.abs(steps - real_softmax(rows, scale) / output_scale) < 0.51)


def test_one_element_is_certain() -> None:
    assert softmax_rows(np.array([[-128], [127]]), 0.1).tolist() == [[2**30], [2**30]]


@pytest.mark.parametrize("count", [0, 65537])
def test_row_length_is_bounded(count: int) -> None:
    with pytest.raises(ValueError, match="rows of 1 to 65536 elements"):
        sum_shift(count)
