# SPDX-License-Identifier: Apache-2.0
"""Numbers and arrays as C99 source that stands for exactly the same values."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from stowage.ir.graph import Array
from stowage.target.kernels.kernel import ParameterValue

_LINE_WIDTH = 108


def scalar(value: float) -> str:
    """An int, or a float as the shortest decimal that reads back as the same float32."""
    if isinstance(value, bool):
        return "1" if value else "0"
    return _float(value) if isinstance(value, float) else _integer(int(value))


def parameter(value: ParameterValue) -> str:
    """A struct field's initialiser: a scalar or a braced list."""
    if isinstance(value, tuple):
        return "{" + ", ".join(scalar(item) for item in value) + "}"
    return scalar(value)


def array(values: Array) -> Iterable[str]:
    """The lines of an array's initialiser, indented, wrapped, comma after every element."""
    line = "   "
    spell = _double if values.dtype == np.float64 else scalar
    for text in map(spell, np.ravel(values).tolist()):
        if len(line) + len(text) + 2 > _LINE_WIDTH:
            yield line
            line = "   "
        line += f" {text},"
    yield line


def _integer(value: int) -> str:
    if value == -(2**31):
        return "(-2147483647 - 1)"
    if value == -(2**63):
        return "(-9223372036854775807LL - 1)"
    if value > 2**63 - 1:
        return f"{value}ULL"
    if value > 2**31 - 1 or value < -(2**31):
        return f"{value}U" if 0 < value < 2**32 else f"{value}LL"
    return str(value)


def _double(value: float) -> str:
    return f"{'-' if value < 0 else ''}(double)STW_INFINITY" if math.isinf(value) else repr(value)


def _float(value: float) -> str:
    if math.isinf(value):
        return "STW_INFINITY" if value > 0 else "-STW_INFINITY"
    text = str(np.float32(value))
    return text + "f" if any(mark in text for mark in ".en") else text + ".0f"
