# SPDX-License-Identifier: Apache-2.0
"""The activation that TFLite fuses into an operator, as the interval that the IR clamps to."""

from __future__ import annotations

import math

import numpy as np
import tflite

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.quantised_clamp import integer_range, quantise_real
from stowage.ir.tensor_type import TensorType

Clamp = tuple[float, float]
_KIND = tflite.ActivationFunctionType
_INTERVALS: dict[int, Clamp] = {
    _KIND.RELU: (0.0, math.inf),
    _KIND.RELU_N1_TO_1: (-1.0, 1.0),
    _KIND.RELU6: (0.0, 6.0),
}


def fused_clamp(site: OperatorSite, result: TensorType) -> Clamp | None:
    """(lowest, highest) real value of a result of the type; None where nothing is fused."""
    kind = site.option("FusedActivationFunction")
    if kind == _KIND.NONE:
        return None
    if kind not in _INTERVALS:
        site.refuse(f"activation number {kind} cannot be fused into it", "use RELU, RELU6, RELU_N1_TO_1 or none")
    return clamp_of(_INTERVALS[kind], result)


def clamp_of(interval: Clamp, result: TensorType) -> Clamp:
    """The interval such that its ends are the integers that TFLite clamps to.

    TFLite divides a bound by the scale in single precision and rounds halves away from zero; where that is another
    integer than the nearest, the bound becomes the real that TFLite's integer stands for.
    """
    if result.quant is None:
        return interval
    lowest, highest = (_exact(bound, result) for bound in interval)
    return lowest, highest


def _exact(bound: float, result: TensorType) -> float:
    quant = result.quant
    assert quant is not None
    if math.isinf(bound):
        return bound
    quotient = float(np.float32(bound) / np.float32(quant.scale))
    integer = quant.zero_point + int(math.copysign(math.floor(abs(quotient) + 0.5), quotient))
    least, most = integer_range(result.dtype)
    integer = min(max(integer, least), most)
    return bound if quantise_real(bound, result) == integer else (integer - quant.zero_point) * quant.scale
