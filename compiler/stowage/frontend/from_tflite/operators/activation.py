# SPDX-License-Identifier: Apache-2.0
"""Functions of each element, and SOFTMAX."""

from __future__ import annotations

import math
from collections.abc import Callable

from stowage.frontend.from_tflite.fused_activation import clamp_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Clip, LeakyRelu
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import Softmax

Translator = Callable[[OperatorSite], list[Value]]


def unary(op: Op) -> Translator:
    """The translator to a function of one number."""
    return lambda site: [site.add_as(op, (site.input(0),), like=site.declared())]


def clip(lowest: float, highest: float = math.inf) -> Translator:
    """The translator to a clamp."""

    def translate(site: OperatorSite) -> list[Value]:
        result = site.declared()
        return [site.add_as(Clip(*clamp_of((lowest, highest), result)), (site.input(0),), like=result)]

    return translate


def leaky_relu(site: OperatorSite) -> list[Value]:
    """x, or alpha * x where x is negative."""
    return [site.add_as(LeakyRelu(site.real_option("Alpha")), (site.input(0),), like=site.declared())]


def softmax(site: OperatorSite) -> list[Value]:
    """exp(beta * x) over its sum, along the last axis."""
    data, beta = site.input(0), site.real_option("Beta", 1.0)
    if not data.type.shape:
        site.invalid("its input has no axes")
    if beta != 1.0:
        site.refuse(f"its beta is {beta:g}", "scale its input in the layer before, and give it a beta of 1")
    return [site.add_as(Softmax(len(data.type.shape) - 1), (data,), like=site.declared())]
