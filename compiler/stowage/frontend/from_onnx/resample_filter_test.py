# SPDX-License-Identifier: Apache-2.0
"""The filters of Resize, by weights computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.frontend.from_onnx.resample_filter import Filter, taps_of


def test_linear_filter_is_stretched_against_aliasing() -> None:
    taps = taps_of(Filter("linear", antialias=True), np.array([0.5, 2.5]), 4, 0.5)
    np.testing.assert_array_equal(taps.places, [[0, 0, 1, 2], [1, 2, 3, 3]])
    np.testing.assert_allclose(taps.weights, [[0.125, 0.375, 0.375, 0.125]] * 2)


def test_nothing_is_stretched_where_the_axis_grows() -> None:
    plain, stretched = (taps_of(Filter("linear", antialias=how), np.array([0.25]), 4, 2.0) for how in (False, True))
    np.testing.assert_array_equal(stretched.weights, plain.weights)
    np.testing.assert_allclose(plain.weights, [[0.75, 0.25]])


@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_elements_keep_their_places(mode: str) -> None:
    taps = taps_of(Filter(mode), np.arange(5.0), 5, 1.0)
    matrix = np.zeros((5, 5))
    np.add.at(matrix, (np.arange(5)[:, None], taps.places), taps.weights)
    np.testing.assert_array_equal(matrix, np.eye(5))


def test_cubic_halfway() -> None:
    taps = taps_of(Filter("cubic", cubic_a=-0.5), np.array([1.5]), 4, 1.0)
    np.testing.assert_allclose(taps.weights, [[-0.0625, 0.5625, 0.5625, -0.0625]])


def test_outside_has_no_weight_if_excluded() -> None:
    taps = taps_of(Filter("cubic", cubic_a=-0.5, exclude_outside=True), np.array([0.5]), 4, 1.0)
    np.testing.assert_allclose(taps.weights, [[0.0, 0.5625 / 1.0625, 0.5625 / 1.0625, -0.0625 / 1.0625]])
