# SPDX-License-Identifier: Apache-2.0
"""Functions of each element, and SOFTMAX."""

from __future__ import annotations

import math
from collections.abc import Callable

from stowage.frontend.from_tflite.fused_activation import clamp_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.scales import check_centred, check_scales
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Clip, LeakyRelu
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import Softmax
from stowage.ir.tensor_type import Quant

_LARGEST_SLOPE = 64.0
Translator = Callable[[OperatorSite], list[Value]]


def _scaled(site: OperatorSite) -> Value:
    data = site.input(0)
    check_scales(site, data)
    return data


def unary(op: Op) -> Translator:
    """The translator to a function of one number."""
    return lambda site: [site.add_as(op, (_scaled(site),), like=site.declared())]


def prescribed(op: Op, scale: float, zero_point: int) -> Translator:
    """The translator to a function whose quantised result TFLite wants in given steps."""

    def translate(site: OperatorSite) -> list[Value]:
        result = site.declared()
        if result.quant is not None and result.quant != Quant((scale,), (zero_point,)):
            site.refuse(f"its result is quantised otherwise than by {scale:g} and {zero_point}", "quantise it so")
        if result.dtype not in (DType.F32, DType.I8):
            site.refuse(f"its result is {result.dtype.value}", "use float32 or int8")
        return [site.add_as(op, (site.input(0),), like=result)]

    return translate


def clip(lowest: float, highest: float = math.inf) -> Translator:
    """The translator to a clamp."""

    def translate(site: OperatorSite) -> list[Value]:
        result = site.declared()
        if result.dtype is DType.I16:
            check_centred(site, site.input(0))
        return [site.add_as(Clip(*clamp_of((lowest, highest), result)), (_scaled(site),), like=result)]

    return translate


def leaky_relu(site: OperatorSite) -> list[Value]:
    """x, or alpha * x where x is negative."""
    alpha = site.real_option("Alpha")
    if not abs(alpha) < _LARGEST_SLOPE:
        site.invalid(f"its alpha is {alpha:g}")
    return [site.add_as(LeakyRelu(alpha), (_scaled(site),), like=site.declared())]


def softmax(site: OperatorSite) -> list[Value]:
    """exp(beta * x) over its sum, along the last axis."""
    data, beta = site.input(0), site.real_option("Beta", 1.0)
    if not data.type.shape:
        site.invalid("its input has no axes")
    if beta != 1.0:
        site.refuse(f"its beta is {beta:g}", "scale its input in the layer before, and give it a beta of 1")
    return [site.add_as(Softmax(len(data.type.shape) - 1), (data,), like=site.declared())]
