# SPDX-License-Identifier: Apache-2.0
"""L2_NORMALIZATION, LOG_SOFTMAX and L2_POOL_2D of reals."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.fused_activation import fused_clamp
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.operators.pooling import window_of
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Max
from stowage.ir.ops.elementwise import Clip, Div, Mul, Sub
from stowage.ir.ops.function import Sqrt
from stowage.ir.ops.reduction import ReduceL2, ReduceLogSumExp
from stowage.ir.ops.window import AveragePool2d

_SHORTEST = 1e-6


def l2_normalization(site: OperatorSite) -> list[Value]:
    """Vectors along the last axis over their length, which is taken to be 1e-6 at least."""
    data, axis = _real_rows(site)
    length = site.add(ReduceL2((axis,)), (data,), "length")
    least = site.add(Max(), (length, site.known(np.array(_SHORTEST, np.float32), "shortest")), "divisor")
    return [site.add(Div(fused_clamp(site, site.declared())), (data, least))]


def log_softmax(site: OperatorSite) -> list[Value]:
    """x less the logarithm of the sum of all e^x along the last axis."""
    data, axis = _real_rows(site)
    return [site.add(Sub(), (data, site.add(ReduceLogSumExp((axis,)), (data,), "logarithm")))]


def _real_rows(site: OperatorSite) -> tuple[Value, int]:
    """The input and its last axis."""
    data = site.input(0)
    if data.type.quant is not None:
        site.refuse("it computes with quantised integers", "keep it in float32")
    if not data.type.shape:
        site.invalid("its input has no axes")
    return data, len(data.type.shape) - 1


def l2_pool2d(site: OperatorSite) -> list[Value]:
    """The root of the mean of the squares in each window; padding is not counted."""
    data, _ = _real_rows(site)
    squares = site.add(Mul(), (data, data), "squares")
    root = site.add(Sqrt(), (site.add(AveragePool2d(*window_of(site, data)), (squares,), "means"),), "root")
    clamp = fused_clamp(site, site.declared())
    return [root if clamp is None else site.add(Clip(*clamp), (root,))]
