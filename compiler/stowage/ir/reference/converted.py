# SPDX-License-Identifier: Apache-2.0
"""Operators that change what elements are made of: Cast, Quantize, Dequantize and table look-up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array
from stowage.ir.ops import elementwise
from stowage.ir.ops.op import Op
from stowage.ir.quantised_clamp import integer_range
from stowage.ir.reference.operand import Operand, along_axis, saturated
from stowage.ir.tensor_type import TensorType

ConvertedFunction = Callable[[Any, Sequence[Operand], TensorType], Array]


def _cast(op: elementwise.Cast, operands: Sequence[Operand], result: TensorType) -> Array:
    """ONNX leaves floats beyond an integer type's range open: they saturate, a NaN as an infinity of its sign."""
    array = operands[0].array
    if array.dtype.kind != "f" or result.dtype.numpy.kind not in "iu":
        with np.errstate(over="ignore"):
            return array.astype(result.dtype.numpy)
    lowest, highest = integer_range(result.dtype)
    inside = np.clip(_without_nan(array).astype(np.float64), lowest, _last_float(highest, array.dtype))
    return np.trunc(inside).astype(result.dtype.numpy)


def _last_float(highest: int, source: np.dtype[Any]) -> float:
    """The largest number of a float type that is not above an integer."""
    with np.errstate(over="ignore"):
        last = np.asarray(highest).astype(source)
    return float(last) if float(last) <= highest else float(np.nextafter(last, np.zeros_like(last)))


def _without_nan(array: NDArray[Any]) -> NDArray[Any]:
    return np.where(np.isnan(array), np.copysign(np.asarray(np.inf, dtype=array.dtype), array), array)


def _quantize(op: elementwise.Quantize, operands: Sequence[Operand], result: TensorType) -> Array:
    """The quotient is rounded to the operand's precision, as ONNX Runtime does, and then half to even."""
    array: NDArray[Any] = operands[0].array
    assert result.quant is not None
    with np.errstate(over="ignore"):
        quotient = _without_nan(array) / along_axis(result.quant.scales, result).astype(array.dtype)
    steps = np.rint(quotient.astype(np.float64)) + along_axis(result.quant.zero_points, result)
    return saturated(steps, result, integer_range(result.dtype))


def _dequantize(op: elementwise.Dequantize, operands: Sequence[Operand], result: TensorType) -> Array:
    """The product is one float32 multiplication."""
    quant = operands[0].type.quant
    assert quant is not None
    scales = along_axis(quant.scales, operands[0].type).astype(np.float32)
    product: Array = operands[0].centred.astype(np.float32) * scales
    return product


def _table(op: elementwise.Table, operands: Sequence[Operand], result: TensorType) -> Array:
    lowest, _ = integer_range(operands[0].type.dtype)
    return operands[1].array[operands[0].array.astype(np.int64) - lowest]


CONVERTED: Mapping[type[Op], ConvertedFunction] = {
    elementwise.Cast: _cast,
    elementwise.Quantize: _quantize,
    elementwise.Dequantize: _dequantize,
    elementwise.Table: _table,
}
"""By operator: the elements of its result, from its record, operands and the result's type."""
