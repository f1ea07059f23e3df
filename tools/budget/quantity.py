# SPDX-License-Identifier: Apache-2.0
"""Budgets as people write them: "24KiB", "6M", "500"."""

from __future__ import annotations

import re
from fractions import Fraction

_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)")
_UNITS = {"": 1, "B": 1, "KiB": 1024, "MiB": 1024**2, "k": 1000, "K": 1000, "M": 10**6, "G": 10**9}


class QuantityError(ValueError):
    """Text that is no quantity; the message says what would be one."""


def parse_quantity(text: str) -> int:
    """The whole number that the text stands for.

    Raises:
        QuantityError: it is no number with a known unit, or no whole one.
    """
    match = _NUMBER.fullmatch(text.strip())
    if match is None or match[2] not in _UNITS:
        units = ", ".join(unit for unit in _UNITS if unit)
        raise QuantityError(f'"{text}" is no quantity: write a number, or a number with one of the units {units}')
    value = Fraction(match[1]) * _UNITS[match[2]]
    if value.denominator != 1:
        raise QuantityError(f'"{text}" is not a whole number')
    return int(value)
