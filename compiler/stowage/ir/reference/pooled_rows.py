# SPDX-License-Identifier: Apache-2.0
"""Means of an image that come by its rows: the sums, and what the average pool makes of them in either arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.ops.op import Op
from stowage.ir.ops.pool_rows import PoolMean, PoolSum
from stowage.ir.quantised_clamp import quantised_bounds
from stowage.ir.reference.operand import Integers, Operand, saturated
from stowage.ir.reference.quantised_site import accumulated
from stowage.ir.requantise import Rounding, quantise_multiplier, requantise
from stowage.ir.tensor_type import TensorType
from stowage.ir.tflite.mean import quotient_multiplier


def pool_sum(op: PoolSum, operands: Sequence[Operand], result: TensorType) -> Array:
    """The sums so far."""
    sums = operands[0].array.astype(np.int32).sum(axis=(1, 2), keepdims=True, dtype=np.int32)
    return np.asarray(sums if len(operands) == 1 else sums + operands[1].array.astype(np.int32))


def pool_mean(op: PoolMean, operands: Sequence[Operand], result: TensorType) -> Array:
    """The mean in ONNX's arithmetic."""
    (sums,) = operands
    assert sums.type.quant is not None and result.quant is not None
    multiplier = quantise_multiplier(sums.type.quant.scale / (result.quant.scale * op.pixels))
    steps = requantise(accumulated(sums.centred), multiplier, Rounding.ONCE)
    return _finished(op, steps + result.quant.zero_point, result)


def pool_mean_in_tflite(op: PoolMean, operands: Sequence[Operand], result: TensorType) -> Array:
    """The quotient of the bare integers, as TFLite has it."""
    sums = operands[0].array.astype(np.int64)
    return _finished(op, requantise(sums, quotient_multiplier(op.pixels), Rounding.AWAY), result)


def _finished(op: PoolMean, integers: Integers, result: TensorType) -> Array:
    return saturated(integers, result, quantised_bounds(op.pool.clamp, result))


POOLED_ROWS: Mapping[type[Op], Callable[[Any, Sequence[Operand], TensorType], Array]] = {
    PoolSum: pool_sum,
    PoolMean: pool_mean,
}
"""By operator: the elements of its result in ONNX's arithmetic."""
