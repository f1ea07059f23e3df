# SPDX-License-Identifier: Apache-2.0
"""How near is near enough, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tools.trial.compare import Difference, Tolerance, compare

ONE_STEP = Tolerance(steps=1, relative=1e-5, same_class=False)
SAME_CLASS = Tolerance(steps=1, relative=1e-5, same_class=True)


def _floats(actual: list[list[float]], expected: list[list[float]]) -> Difference:
    return compare(np.array(actual, np.float32), np.array(expected, np.float32), ONE_STEP)


def test_one_step_passes_and_two_do_not() -> None:
    expected = np.array([[0, 10], [-128, 127]], np.int8)
    assert compare(expected + np.array([[1, -1], [1, -1]], np.int8), expected, ONE_STEP).passes
    difference = compare(np.array([[0, 10], [-126, 127]], np.int8), expected, ONE_STEP)
    assert not difference.passes
    assert (difference.largest, difference.vector) == (2, 1)
    assert str(difference) == "largest difference 2 steps in vector 1 (allowed 1)"


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_integers_do_not_wrap_around(dtype: str) -> None:
    ends = np.iinfo(dtype)
    lowest, highest = np.array([[ends.min]], dtype), np.array([[ends.max]], dtype)
    assert compare(highest, lowest, ONE_STEP).largest >= 255
    assert not compare(lowest, highest, ONE_STEP).passes


def test_neighbours_among_the_largest_integers_are_told_apart() -> None:
    exact = Tolerance(steps=0, relative=0, same_class=False)
    assert not compare(np.array([[2**63 - 1]]), np.array([[2**63 - 2]]), exact).passes


def test_booleans_compare() -> None:
    assert compare(np.array([[True]]), np.array([[True]]), Tolerance(0, 0, False)).passes
    assert not compare(np.array([[True]]), np.array([[False]]), Tolerance(0, 0, False)).passes


def test_floats_are_relative_to_the_vectors_largest_magnitude() -> None:
    assert _floats([[100.0005, 0.0005]], [[100.0, 0.0]]).passes
    assert not _floats([[100.0, 0.002]], [[100.0, 0.0]]).passes
    assert not _floats([[100.0, 0.0], [0.0005, 0.1]], [[100.0, 0.0], [0.0, 0.1]]).passes, "not to another vector's"


def test_nothing_is_near_to_zeros() -> None:
    assert _floats([[0.0, -0.0]], [[0.0, 0.0]]).passes
    assert not _floats([[1e-30, 0.0]], [[0.0, 0.0]]).passes


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_finite_never_passes(number: float) -> None:
    assert not _floats([[number, 1.0]], [[1.0, 1.0]]).passes
    assert not _floats([[1.0, 1.0]], [[number, 1.0]]).passes
    assert not _floats([[number, 1.0]], [[number, 1.0]]).passes, "no more than expected NaNs make a test"


def test_a_vector_of_nan_is_named_before_a_large_difference() -> None:
    difference = _floats([[9.0], [float("nan")]], [[1.0], [1.0]])
    assert difference.vector == 1
    assert not difference.passes


def test_another_class_does_not_pass_where_that_counts() -> None:
    actual, expected = np.array([[4, 5], [9, 1]], np.int8), np.array([[5, 4], [9, 1]], np.int8)
    assert compare(actual, expected, ONE_STEP).passes
    difference = compare(actual, expected, SAME_CLASS)
    assert not difference.passes
    assert str(difference).endswith(", 1 vectors of another class")
