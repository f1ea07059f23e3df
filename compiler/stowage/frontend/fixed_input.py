# SPDX-License-Identifier: Apache-2.0
"""Inputs that the user gives a value while the model is built: a sampling rate, the axes of a reduction, a mode."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from stowage.errors import InvalidModel
from stowage.ir.dtype import DType
from stowage.ir.graph import Array

NONE: Mapping[str, str] = MappingProxyType({})
"""No input is given a value."""
_BOOLEANS = {"true": 1, "false": 0, "1": 1, "0": 0}


def check_fixed_names(fixed: Collection[str], inputs: Iterable[str]) -> None:
    """Refuses values for inputs that the model does not have.

    Raises:
        InvalidModel: as said.
    """
    names = list(inputs)
    for name in fixed:
        if name not in names:
            known = ", ".join(map(repr, names)) or "none"
            reason = "the model has no such input to be given a value"
            raise InvalidModel(where=f"input {name!r}", reason=reason, remedy=f"its inputs are {known}")


def fixed_array(text: str, dtype: DType, extents: Sequence[int | None], where: str) -> Array:
    """The elements that a user wrote, in row-major order.

    Args:
        text: numbers with commas between them.
        dtype: the input's element type; those of a quantised input are its integers.
        extents: the input's shape; an extent of None is whatever the count of numbers makes it.
        where: the input, for messages.

    Raises:
        InvalidModel: something is no number of that type, or there are too few or too many.
    """
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    array = np.array([_number(word, dtype, where) for word in words], dtype.numpy)
    known = [extent for extent in extents if extent is not None]
    size = int(np.prod(known, dtype=np.int64))
    open_axes = len(extents) - len(known)
    if open_axes > 1 or (array.size != size if not open_axes else size == 0 or array.size % size):
        shape = "[" + ", ".join("?" if extent is None else str(extent) for extent in extents) + "]"
        reason = f"{array.size} numbers do not fill its shape {shape}"
        raise InvalidModel(where=where, reason=reason, remedy="give every element, with commas between them")
    return array.reshape([-1 if extent is None else extent for extent in extents])


def _number(word: str, dtype: DType, where: str) -> int | float:
    try:
        if dtype is DType.BOOL:
            return _BOOLEANS[word.lower()]
        if dtype.numpy.kind == "f":
            return float(word)
        return int(dtype.numpy.type(int(word)))
    except (ValueError, KeyError, OverflowError):
        pass
    reason = f'"{word}" is no number of its element type {dtype.value}'
    raise InvalidModel(where=where, reason=reason, remedy="write numbers with commas between them, for instance 16000")
