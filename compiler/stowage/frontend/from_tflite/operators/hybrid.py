# SPDX-License-Identifier: Apache-2.0
"""Layers of real inputs and 8-bit weights, which TFLite computes in integers all the same.

Every batch of the input is quantised as it comes: to 8 bits between its least and its largest number where weights
have a scale a channel (or the layer asks for it), else symmetrically to its largest size. Spelled out, with the input's
whole numbers in floats: sums of products are exact up to 2**24, and step and bias follow. Weights stay bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Max, Min
from stowage.ir.ops.elementwise import Add, Clip, Div, Mul, Sub
from stowage.ir.ops.function import Abs, Round
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import ReduceMax, ReduceMin
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d

_TINY = float(np.finfo(np.float32).tiny)
"""Smallest step; an input of zeros alone has a step of 0."""


@dataclass(frozen=True, slots=True)
class _Steps:
    """An input as whole numbers without their zero point, and the step that they count."""

    whole: Value
    step: Value


def hybrid_layer(
    site: OperatorSite, op: Conv2d | DepthwiseConv2d | FullyConnected, data: Value, weights: Value
) -> Value:
    """The layer, its bias and its fused activation."""
    quant = weights.type.quant
    if quant is None or any(quant.zero_points):
        site.refuse("its weights have no quantisation, or one with a zero point", "quantise weights symmetrically")
    if not site.builder.is_constant(weights):
        site.refuse("its weights are computed at run time", "make the weights a constant")
    dense = isinstance(op, FullyConnected)
    axes = (len(data.type.shape) - 1,) if dense else (1, 2, 3)
    asymmetric = isinstance(op, DepthwiseConv2d) or quant.axis is not None
    if dense:
        asymmetric = bool(site.option("AsymmetricQuantizeInputs", False))
    given = (_asymmetric if asymmetric else _symmetric)(site, data, axes)
    sums = site.add(replace(op, clamp=None), (given.whole, weights), "sums")
    scaled = site.add(Mul(), (sums, given.step), "real")
    if not site.has(2):
        return scaled if op.clamp is None else site.add(Clip(*op.clamp), (scaled,))
    return site.add(Add(op.clamp), (scaled, site.input(2)))


def _asymmetric(site: OperatorSite, data: Value, axes: tuple[int, ...]) -> _Steps:
    add = _adder(site)
    zero = site.known(np.zeros((), np.float32), "zero")
    least = add(Min(), "least", add(ReduceMin(axes), "minimum", data), zero)
    most = add(Max(), "most", add(ReduceMax(axes), "maximum", data), zero)
    step = _step(site, add(Sub(), "range", most, least), 255.0)
    lowest = site.known(np.array(-128.0, np.float32), "lowest")
    shift = add(Sub(), "shift", lowest, add(Div(), "offset", least, step))
    point = add(Round(), "point", add(Clip(-128.0, 127.0), "within", shift))
    shifted = add(Add(), "shifted", add(Div(), "quotient", data, step), point)
    stored = add(Clip(-128.0, 127.0), "stored", add(Round(), "rounded", shifted))
    return _Steps(add(Sub(), "whole", stored, point), step)


def _symmetric(site: OperatorSite, data: Value, axes: tuple[int, ...]) -> _Steps:
    add = _adder(site)
    step = _step(site, add(ReduceMax(axes), "maximum", add(Abs(), "size", data)), 127.0)
    return _Steps(add(Round(), "whole", add(Div(), "quotient", data, step)), step)


def _step(site: OperatorSite, extent: Value, count: float) -> Value:
    """The extent in so many steps."""
    step = site.add(Div(), (extent, site.known(np.array(count, np.float32), "count")), "step")
    return site.add(Max(), (step, site.known(np.array(_TINY, np.float32), "tiny")), "least_step")


def _adder(site: OperatorSite) -> Callable[..., Value]:
    def add(op: Op, role: str, *operands: Value) -> Value:
        return site.add(op, operands, role)

    return add
