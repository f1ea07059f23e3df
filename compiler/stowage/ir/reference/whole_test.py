# SPDX-License-Identifier: Apache-2.0
"""Plain integers: results wrap around, division is towards zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowage.ir.ops import elementwise, linear
from stowage.ir.ops.op import Op
from stowage.ir.reference.onnx_oracle import reference

WORDS = st.integers(-(2**31), 2**31 - 1)


def wrapped(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def quotient(a: int, b: int) -> int:
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


EXACT: list[tuple[Op, Any]] = [
    (elementwise.Add(), lambda a, b: a + b),
    (elementwise.Sub(), lambda a, b: a - b),
    (elementwise.Mul(), lambda a, b: a * b),
    (elementwise.Div(), quotient),
]


@pytest.mark.parametrize(("op", "exact"), EXACT)
@given(WORDS, WORDS | st.integers(-2, 2))
def test_binary_wraps_around(op: Op, exact: Any, a: int, b: int) -> None:
    operands = [np.array([number], dtype=np.int32) for number in (a, b)]
    assert reference(op, operands).item() == wrapped(exact(a, b))


def test_lowest_number_divided_by_minus_one_wraps() -> None:
    operands = [np.array([number], dtype=np.int32) for number in (-(2**31), -1)]
    assert reference(elementwise.Div(), operands).item() == -(2**31)


def test_large_integers_are_exact() -> None:
    big = np.array([2**62 + 1], dtype=np.int64)
    assert reference(elementwise.Add(), [big, np.array([1], dtype=np.int64)]).item() == 2**62 + 2
    assert reference(linear.MatMul(), [big.reshape(1, 1), np.array([[1]], dtype=np.int64)]).item() == 2**62 + 1


def test_bounds_are_whole_or_absent() -> None:
    data = np.array([-(2**31), -3, 0, 5, 2**31 - 1], dtype=np.int32)
    assert reference(elementwise.Clip(-math.inf, 4.5), [data]).tolist() == [-(2**31), -3, 0, 4, 4]
    assert reference(elementwise.Clip(-2.5, math.inf), [data]).tolist() == [-2, -2, 0, 5, 2**31 - 1]
    assert reference(elementwise.Relu(), [data]).tolist() == [0, 0, 0, 5, 2**31 - 1]
    assert reference(elementwise.Add(clamp=(0.0, 6.0)), [data, data[1:2]]).tolist() == [6, 0, 0, 2, 6]
