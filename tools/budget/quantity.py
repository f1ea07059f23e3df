# SPDX-License-Identifier: Apache-2.0
"""Budgets as people write them: "24KiB", "6M", "500"."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")
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
        raise QuantityError(
            f'"{text}" is no quantity: write a number with one of the units {", ".join(u for u in _UNITS if u)}'
        )
    value = float(match[1]) * _UNITS[match[2]]
    if value != int(value):
        raise QuantityError(f'"{text}" is not a whole number')
    return int(value)


def format_quantity(value: int, unit: str) -> str:
    """A number with thousands separated and its unit, for instance "24,576 B"."""
    return f"{value:,} {unit}"
