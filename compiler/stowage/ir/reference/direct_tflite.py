# SPDX-License-Identifier: Apache-2.0
"""Operators that compute on stored elements, where TFLite's reference kernels have a definition of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array
from stowage.ir.ops import elementwise, movement
from stowage.ir.ops.op import Op
from stowage.ir.ops.pool_rows import PoolMean
from stowage.ir.quantised_clamp import integer_range
from stowage.ir.reference.converted import ConvertedFunction
from stowage.ir.reference.moved import MOVED
from stowage.ir.reference.operand import Operand, saturated
from stowage.ir.reference.pooled_rows import pool_mean_in_tflite
from stowage.ir.tensor_type import TensorType
from stowage.ir.tflite.resize import resized_integers


def _quantize(op: elementwise.Quantize, operands: Sequence[Operand], result: TensorType) -> Array:
    """The quotient is rounded to single precision, and then halves away from zero."""
    array: NDArray[Any] = operands[0].array
    assert result.quant is not None
    with np.errstate(over="ignore"):
        quotient = (array / np.float32(result.quant.scale)).astype(np.float64)
    size = np.abs(np.nan_to_num(quotient, nan=np.inf, posinf=np.inf, neginf=-np.inf))
    steps = np.copysign(np.floor(size + 0.5), quotient)
    return saturated(steps + result.quant.zero_point, result, integer_range(result.dtype))


def _resize(op: movement.Resize, operands: Sequence[Operand], result: TensorType) -> Array:
    """The bare integers are interpolated, since all have one zero point."""
    if op.mode != "linear" or result.quant is None:
        return MOVED[movement.Resize](op, operands, result)
    return resized_integers(op, operands[0].array.astype(np.int64)).astype(result.dtype.numpy)


DIRECT_IN_TFLITE: Mapping[type[Op], ConvertedFunction] = {
    elementwise.Quantize: _quantize,
    movement.Resize: _resize,
    PoolMean: pool_mean_in_tflite,
}
"""By operator: the elements of its result, from its record, operands and the result's type."""
