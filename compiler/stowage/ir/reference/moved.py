# SPDX-License-Identifier: Apache-2.0
"""Operators that move or select elements: they compute on the stored elements, whatever those stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.ops import movement, reduction, window
from stowage.ir.ops.fed_rows import FeedRows
from stowage.ir.ops.op import Op
from stowage.ir.ops.unpooling import MaxPoolIndices
from stowage.ir.quantised_clamp import quantise_real
from stowage.ir.reference.operand import Operand, stored
from stowage.ir.reference.unpooled import max_pool_indices
from stowage.ir.reference.windows import max_pool
from stowage.ir.resize_coordinates import linear_taps, nearest_indices
from stowage.ir.tensor_type import TensorType

MovedFunction = Callable[[Any, Sequence[Operand], TensorType], Array]


def _slice(op: movement.Slice, operands: Sequence[Operand], result: TensorType) -> Array:
    steps = zip(op.begins, op.shape, op.steps, strict=True)
    return operands[0].array[np.ix_(*(begin + np.arange(count) * step for begin, count, step in steps))]


def _pad(op: movement.Pad, operands: Sequence[Operand], result: TensorType) -> Array:
    kept = tuple(
        slice(max(-before, 0), extent + min(after, 0))
        for before, extent, after in zip(op.before, operands[0].type.shape, op.after, strict=True)
    )
    around = [(max(before, 0), max(after, 0)) for before, after in zip(op.before, op.after, strict=True)]
    if op.mode == "constant":
        return np.pad(operands[0].array[kept], around, constant_values=_padding(op.value, result))
    return np.pad(operands[0].array[kept], around, mode=cast("Any", op.mode))


def _padding(value: float, result: TensorType) -> Any:
    if result.quant is not None:
        return quantise_real(value, result)
    return np.asarray(value).astype(result.dtype.numpy)


def _resize(op: movement.Resize, operands: Sequence[Operand], result: TensorType) -> Array:
    _, height, width, _ = operands[0].type.shape
    if op.mode == "nearest":
        rows, columns = nearest_indices(op, 0, height), nearest_indices(op, 1, width)
        return operands[0].array[:, rows][:, :, columns]
    reals = operands[0].reals
    for axis, extent in enumerate((height, width)):
        lower, upper, weight = linear_taps(op, axis, extent)
        weights = weight.astype(np.float64).reshape([-1 if position == axis + 1 else 1 for position in range(4)])
        reals = np.take(reals, lower, axis + 1) * (1 - weights) + np.take(reals, upper, axis + 1) * weights
    return stored(reals, result)


def _arg_max(op: reduction.ArgMax, operands: Sequence[Operand], result: TensorType) -> Array:
    array = operands[0].array
    if op.select_last_index:
        last = array.shape[op.axis] - 1
        return np.asarray(last - np.argmax(np.flip(array, op.axis), axis=op.axis, keepdims=op.keepdims))
    return np.asarray(np.argmax(array, axis=op.axis, keepdims=op.keepdims))


MOVED: Mapping[type[Op], MovedFunction] = {
    movement.Reshape: lambda op, operands, result: operands[0].array.reshape(op.shape),
    movement.Transpose: lambda op, operands, result: operands[0].array.transpose(op.permutation),
    movement.Concat: lambda op, operands, result: np.concatenate([part.array for part in operands], op.axis),
    movement.Slice: _slice,
    FeedRows: lambda op, operands, result: operands[0].array[:, op.first : op.first + op.rows],
    movement.Pad: _pad,
    movement.Resize: _resize,
    window.MaxPool2d: lambda op, operands, result: max_pool(op, operands[0].array),
    reduction.ArgMax: _arg_max,
    MaxPoolIndices: max_pool_indices,
}
"""By operator: the elements of its result, from its record, operands and the result's type."""
