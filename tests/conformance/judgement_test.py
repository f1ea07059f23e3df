# SPDX-License-Identifier: Apache-2.0
"""What counts as the expected outputs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from stowage.ir.graph import Array
from tests.conformance.judgement import decoded, deviation, is_one_rounding_off, output_bytes
from tests.conformance.verdict import OutputType, Verdict

CASE = Verdict("test", "Op", "", relative=1e-3, absolute=1e-7)
REALS: NDArray[np.float32] = np.array([1.0, -2.0, np.nan, np.inf, 0.0], np.float32)


def test_the_same_is_right() -> None:
    assert deviation(CASE, [REALS], [REALS]) == ""


@pytest.mark.parametrize("factor", [1 + 9e-4, 1 - 9e-4])
def test_the_tolerance_is_the_cases(factor: float) -> None:
    assert deviation(CASE, [(REALS * factor).astype(np.float32)], [REALS]) == ""


@pytest.mark.parametrize(
    ("place", "value"), [(0, 1.0011), (1, 2.0), (2, 0.0), (2, np.inf), (3, -np.inf), (3, 3e38), (4, 2e-7)]
)
def test_one_wrong_element_is_wrong(place: int, value: float) -> None:
    found = REALS.copy()
    found[place] = value
    assert deviation(CASE, [found], [REALS]).startswith("output 0:")


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.bool_])
def test_integers_at_the_ends(dtype: type[np.generic]) -> None:
    ends = np.array([0, 1], dtype) if dtype is np.bool_ else np.array([0, np.iinfo(dtype).max], dtype)  # type: ignore[type-var]
    assert deviation(CASE, [ends], [ends]) == ""
    assert deviation(CASE, [ends[::-1]], [ends]) != ""


def test_type_shape_and_count_are_held() -> None:
    assert "float64(5,) in place of float32(5,)" in deviation(CASE, [REALS.astype(np.float64)], [REALS])
    assert "float32(5, 1) in place of float32(5,)" in deviation(CASE, [REALS[:, None]], [REALS])
    assert deviation(CASE, [REALS], [REALS, REALS]) == "1 outputs in place of 2"


def test_one_rounding_of_the_largest_element() -> None:
    expected = np.array([1e-9, 8.0], np.float32)
    assert is_one_rounding_off([np.array([9e-7, 8.0], np.float32)], [expected])
    assert not is_one_rounding_off([np.array([1.1e-6, 8.0], np.float32)], [expected])


def test_outputs_lie_one_behind_the_other() -> None:
    types = (OutputType("int8", (3,)), OutputType("float32", (2, 1)), OutputType("bool", ()))
    arrays: list[Array] = [np.array([1, 2, 3], np.int8), np.array([[1.5], [2.5]], np.float32), np.array(True)]
    stream = b"".join(array.tobytes() for array in arrays)
    assert output_bytes(types) == len(stream) == 12
    for found, wanted in zip(decoded(stream, types), arrays, strict=True):
        assert deviation(CASE, [found], [wanted]) == ""
