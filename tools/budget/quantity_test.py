# SPDX-License-Identifier: Apache-2.0
"""Budgets as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.budget.quantity import QuantityError, parse_quantity


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("500", 500),
        ("500B", 500),
        ("24KiB", 24576),
        ("1.5KiB", 1536),
        ("1MiB", 1048576),
        (" 6M ", 6000000),
        ("250k", 250000),
        ("0.1M", 100000),
        ("1.000001M", 1000001),
        ("1 KiB", 1024),
    ],
)
def test_quantities(text: str, expected: int) -> None:
    assert parse_quantity(text) == expected


@pytest.mark.parametrize("text", ["", "KiB", "-1", "12KB", "12kib", "1e3", "1,000", "0x10", "1.KiB", "٣", "inf", "nan"])
def test_what_is_no_quantity_is_refused(text: str) -> None:
    with pytest.raises(QuantityError, match="is no quantity: write a number, or a number with one of the units B, KiB"):
        parse_quantity(text)


@pytest.mark.parametrize("text", ["1.5", "0.3KiB", "1.0000001M"])
def test_parts_of_a_byte_are_refused(text: str) -> None:
    with pytest.raises(QuantityError, match="is not a whole number"):
        parse_quantity(text)


@given(st.integers(min_value=0, max_value=2**70))
def test_a_figure_means_itself(value: int) -> None:
    assert parse_quantity(str(value)) == value
