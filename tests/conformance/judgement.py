# SPDX-License-Identifier: Apache-2.0
"""Whether outputs are what ONNX expects of a case: the comparison of ONNX's own runner of these tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array
from tests.conformance.verdict import OutputType, Verdict


def decoded(outputs: bytes, types: Sequence[OutputType]) -> list[Array]:
    """The arrays that lie one behind the other."""
    arrays, at = [], 0
    for type_ in types:
        array = np.frombuffer(outputs, type_.dtype, math.prod(type_.shape), at)
        arrays.append(array.reshape(type_.shape))
        at += array.nbytes
    return arrays


def output_bytes(types: Sequence[OutputType]) -> int:
    """How many bytes outputs of these types have together."""
    return sum(np.dtype(type_.dtype).itemsize * math.prod(type_.shape) for type_ in types)


def deviation(verdict: Verdict, found: Sequence[Array], expected: Sequence[Array]) -> str:
    """What is wrong with the outputs of a case, or an empty string."""
    if len(found) != len(expected):
        return f"{len(found)} outputs in place of {len(expected)}"
    for place, (one, other) in enumerate(zip(found, expected, strict=True)):
        if wrong := _deviation(verdict, one, other):
            return f"output {place}: {wrong}"
    return ""


def is_one_rounding_off(found: Sequence[Array], expected: Sequence[Array]) -> bool:
    """Whether no element differs by more than its type's unit of the largest one expected."""
    return all(starmap(_is_one_rounding_off, zip(found, expected, strict=True)))


def _is_one_rounding_off(found: NDArray[Any], expected: NDArray[Any]) -> bool:
    unit = float(np.finfo(expected.dtype).eps)
    difference = np.abs(found.astype(np.float64) - expected.astype(np.float64))
    return bool((difference <= unit * np.abs(expected).max()).all())


def _deviation(verdict: Verdict, found: NDArray[Any], expected: NDArray[Any]) -> str:
    if (found.dtype, found.shape) != (expected.dtype, expected.shape):
        return f"{found.dtype}{found.shape} in place of {expected.dtype}{expected.shape}"
    try:
        np.testing.assert_allclose(found, expected, rtol=verdict.relative, atol=verdict.absolute)
    except AssertionError as difference:
        return str(difference)
    return ""
