# SPDX-License-Identifier: Apache-2.0
"""Truth values, bits, comparisons and selection: they compute on stored elements, since no result is quantised anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.ops import bits, combination, truth
from stowage.ir.ops.op import Op
from stowage.ir.reference.operand import Operand
from stowage.ir.tensor_type import TensorType

CombinedFunction = Callable[[Any, Sequence[Operand], TensorType], Array]


def _of_arrays(function: Callable[..., Any]) -> CombinedFunction:
    return lambda op, operands, result: np.asarray(function(*(operand.array for operand in operands)))


def _is_inf(op: truth.IsInf, operands: Sequence[Operand], result: TensorType) -> Array:
    array: Any = operands[0].array
    return np.asarray((np.isposinf(array) & op.positive) | (np.isneginf(array) & op.negative))


def _shift_left(op: bits.ShiftLeft, operands: Sequence[Operand], result: TensorType) -> Array:
    array, count, width = _counts(operands)
    shifted = np.left_shift(array.view(f"u{array.itemsize}"), np.clip(count, 0, width - 1).astype(f"u{array.itemsize}"))
    return np.where((count < 0) | (count >= width), 0, shifted.view(array.dtype)).astype(array.dtype)


def _shift_right(op: bits.ShiftRight, operands: Sequence[Operand], result: TensorType) -> Array:
    array, count, width = _counts(operands)
    gone = (count < 0) | (count >= width)
    shifted = np.right_shift(array, np.where(gone, width - 1, count).astype(array.dtype))
    return np.asarray(shifted if array.dtype.kind == "i" else np.where(gone, 0, shifted)).astype(array.dtype)


def _counts(operands: Sequence[Operand]) -> tuple[Any, Any, int]:
    """The elements, by how many places each is moved, and how many there are."""
    array: Any = operands[0].array
    return array, operands[1].array, 8 * array.itemsize


COMBINED: Mapping[type[Op], CombinedFunction] = {
    truth.Not: _of_arrays(np.invert),
    truth.IsNan: _of_arrays(np.isnan),
    truth.IsInf: _is_inf,
    combination.Equal: _of_arrays(np.equal),
    combination.Less: _of_arrays(np.less),
    combination.LessOrEqual: _of_arrays(np.less_equal),
    combination.And: _of_arrays(np.bitwise_and),
    combination.Or: _of_arrays(np.bitwise_or),
    combination.Xor: _of_arrays(np.bitwise_xor),
    combination.Where: _of_arrays(np.where),
    bits.ShiftLeft: _shift_left,
    bits.ShiftRight: _shift_right,
    bits.BitCast: lambda op, operands, result: operands[0].array.view(result.dtype.numpy),
}
"""By operator: the elements of its result, from its record, operands and the result's type."""
