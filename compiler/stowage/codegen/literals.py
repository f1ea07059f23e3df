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
    texts = _spelled(np.ravel(values))
    ends = np.cumsum([len(text) + 2 for text in texts])
    start, before = 0, 0
    while start < len(texts):
        stop = max(start + 1, int(np.searchsorted(ends, before + _LINE_WIDTH - 3, side="right")))
        yield f"    {', '.join(texts[start:stop])},"
        start, before = stop, int(ends[stop - 1])


def _spelled(values: Array) -> list[str]:
    """Each element of a vector; a model has millions, so that integers are spelled once for each value."""
    if values.dtype == np.float32:
        return [_with_suffix(str(value)) for value in values]
    if values.dtype.kind == "f":
        return [_double(value) if values.dtype == np.float64 else _float(value) for value in values.tolist()]
    numbers = values.tolist()
    known = {number: scalar(number) for number in set(numbers)}
    return [known[number] for number in numbers]


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
    return _with_suffix(str(np.float32(value)))


def _with_suffix(text: str) -> str:
    """What NumPy calls a float32, as C calls it."""
    return f"{text}f" if text[-1] != "f" else text.replace("inf", "STW_INFINITY")
