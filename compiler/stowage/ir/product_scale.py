# SPDX-License-Identifier: Apache-2.0
"""How the integers of a product come to the scale of its result: with which multipliers, rounded how.

ONNX's models divide the product of two scales by a third in double precision and round once. TFLite rounds twice, save
for dense layers, which LiteRT's reference kernels round once; and it multiplies the scales of dense layers with one
scale, and of elementwise products, in single precision.
"""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Arithmetic
from stowage.ir.ops.elementwise import Mul
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op
from stowage.ir.requantise import Multiplier, Rounding, quantise_multiplier
from stowage.ir.tensor_type import Quant


def product_multipliers(
    op: Op, first: Quant, second: Quant, output: Quant, arithmetic: Arithmetic
) -> tuple[Multiplier, ...]:
    """One multiplier for every scale of the second operand.

    Raises:
        ValueError: the output's scale is too small beside the product of the operands'.
    """
    if arithmetic is Arithmetic.TFLITE:
        return tuple(quantise_multiplier(_in_tflite(op, first, second, scale, output)) for scale in second.scales)
    return tuple(quantise_multiplier(first.scale * scale / output.scale) for scale in second.scales)


def _in_tflite(op: Op, first: Quant, second: Quant, scale: float, output: Quant) -> float:
    product = np.float32(first.scale) * np.float32(scale)
    if isinstance(op, Mul):
        return float(product / np.float32(output.scale))
    if isinstance(op, FullyConnected) and second.axis is None:
        return float(product) / output.scale
    return first.scale * scale / output.scale


def product_rounding(op: Op, arithmetic: Arithmetic) -> Rounding:
    """How a sum of products, or a product, is rounded."""
    once = arithmetic is Arithmetic.ONNX or isinstance(op, FullyConnected)
    return Rounding.ONCE if once else Rounding.TWICE
