# SPDX-License-Identifier: Apache-2.0
"""CONV_2D and DEPTHWISE_CONV_2D."""

from __future__ import annotations

from stowage.frontend.from_tflite.fused_activation import fused_clamp
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.operators.layer import layer
from stowage.frontend.from_tflite.window import dilations, pads, strides
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d
from stowage.ir.ops.window_shape import Pair


def conv2d(site: OperatorSite) -> list[Value]:
    """Input [N, H, W, I], weights [O, KH, KW, I / groups], bias [O]."""
    data, weights = site.input(0), site.input(1)
    image, kernel = _extents(site, data), _extents(site, weights)
    taken = weights.type.shape[3]
    if taken < 1 or data.type.shape[3] % taken:
        site.invalid(f"weights of shape {list(weights.type.shape)} do not divide {data.type.shape[3]} channels")
    steps, spread = strides(site), dilations(site)
    op = Conv2d(
        strides=steps,
        pads=pads(site, image, kernel, steps, spread),
        dilations=spread,
        groups=data.type.shape[3] // taken,
        clamp=fused_clamp(site, site.declared()),
    )
    return [layer(site, op, data, weights)]


def depthwise_conv2d(site: OperatorSite) -> list[Value]:
    """Input [N, H, W, C], weights [1, KH, KW, O] with O a multiple of C, bias [O]."""
    data, weights = site.input(0), site.input(1)
    image, kernel = _extents(site, data), _extents(site, weights)
    if weights.type.shape[0] != 1:
        site.invalid(f"weights have the shape {list(weights.type.shape)}, whose first extent must be 1")
    steps, spread = strides(site), dilations(site)
    op = DepthwiseConv2d(
        strides=steps,
        pads=pads(site, image, kernel, steps, spread),
        dilations=spread,
        clamp=fused_clamp(site, site.declared()),
    )
    return [layer(site, op, data, site.moved(Reshape(weights.type.shape[1:]), weights, "weights"))]


def _extents(site: OperatorSite, value: Value) -> Pair:
    """Height and width of an image or of weights."""
    shape = value.type.shape
    if len(shape) != 4:
        site.invalid(f"an operand has the shape {list(shape)} instead of four axes")
    return shape[1], shape[2]
