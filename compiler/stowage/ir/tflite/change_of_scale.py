# SPDX-License-Identifier: Apache-2.0
"""From integers of one quantisation to those of another, as TFLite's QUANTIZE and its rectifiers do.

Rectifiers divide the two scales in single precision, QUANTIZE in double. A Clip without bounds stands for the latter.
"""

from __future__ import annotations

import math

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.ops.elementwise import Clip, Relu
from stowage.ir.quantised_clamp import integer_range
from stowage.ir.requantise import quantise_multiplier
from stowage.ir.tensor_type import TensorType
from stowage.ir.tflite.fixed_point import Int64s, multiplied


def rectifier_quotient(input_scale: float, output_scale: float) -> float:
    """The quotient of two scales in single precision."""
    return float(np.float32(input_scale) / np.float32(output_scale))


def clip_quotient(op: Clip | Relu, input_scale: float, output_scale: float) -> float:
    """What a clip multiplies integers by."""
    unbounded = isinstance(op, Clip) and math.isinf(op.lowest) and math.isinf(op.highest)
    return input_scale / output_scale if unbounded else rectifier_quotient(input_scale, output_scale)


def rescaled(centred: Int64s, quotient: float) -> Int64s:
    """Integers without zero points times a quotient of scales, rounded twice."""
    multiplier = quantise_multiplier(quotient)
    return multiplied(centred, multiplier.value, 31 - multiplier.shift)


def change_of_scale_table(source: TensorType, result: TensorType) -> Array:
    """What every integer of an 8-bit type, from the lowest on, becomes.

    Raises:
        ValueError: the input's scale is 2**30 times the output's or more.
    """
    assert source.quant is not None and result.quant is not None
    lowest, highest = integer_range(source.dtype)
    every = np.arange(lowest, highest + 1, dtype=np.int64)
    steps = rescaled(every - source.quant.zero_point, source.quant.scale / result.quant.scale)
    clamped: Array = np.clip(steps + result.quant.zero_point, *integer_range(result.dtype))
    return clamped.astype(result.dtype.numpy)
