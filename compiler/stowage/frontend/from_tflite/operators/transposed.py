# SPDX-License-Identifier: Apache-2.0
"""TRANSPOSE_CONV, and MediaPipe's custom operator that is the same with a bias."""

from __future__ import annotations

import struct
from dataclasses import replace

import tflite

from stowage.frontend.from_tflite.fused_activation import fused_clamp
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.operators.layer import Places, layer
from stowage.frontend.from_tflite.window import strides
from stowage.ir.graph import Value
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window_shape import Pair

_MEDIAPIPE_OPTIONS = "<iii"
_MEDIAPIPE_SAME = 1


def transpose_conv(site: OperatorSite) -> list[Value]:
    """Output shape, weights [O, KH, KW, I], input, bias (optional)."""
    shape = site.integers(0, "output shape")
    if len(shape) != 4:
        site.invalid(f"its output shape is {list(shape)}")
    data, weights = site.input(2), site.input(1)
    same = site.option("Padding") == tflite.Padding.SAME
    op = _operator(site, data, weights, (shape[1], shape[2]), strides(site), same)
    op = replace(op, clamp=fused_clamp(site, site.declared()))
    return [layer(site, op, data, weights, Places(weights=1, bias=3))]


def transpose_conv_with_bias(site: OperatorSite) -> list[Value]:
    """Input, weights, bias; padding and strides lie in the custom options: three 32-bit numbers."""
    options = site.record.custom_options
    if len(options) < struct.calcsize(_MEDIAPIPE_OPTIONS):
        site.invalid("its options are too short")
    padding, width, height = struct.unpack_from(_MEDIAPIPE_OPTIONS, options)
    if min(height, width) < 1:
        site.invalid(f"its strides are {height} and {width}")
    declared = site.declared().shape
    if len(declared) != 4:
        site.invalid(f"its result has the shape {list(declared)} instead of four axes")
    data, weights = site.input(0), site.input(1)
    op = _operator(site, data, weights, (declared[1], declared[2]), (height, width), padding == _MEDIAPIPE_SAME)
    return [layer(site, op, data, weights)]


def _operator(site: OperatorSite, data: Value, weights: Value, size: Pair, steps: Pair, same: bool) -> ConvTranspose2d:
    if len(data.type.shape) != 4 or len(weights.type.shape) != 4:
        site.invalid(f"input and weights are {list(data.type.shape)} and {list(weights.type.shape)}")
    taken = [
        (extent - 1) * stride + kernel
        for extent, stride, kernel in zip(data.type.shape[1:3], steps, weights.type.shape[1:3], strict=True)
    ]
    top, left = (max(full - whole, 0) // 2 if same else 0 for full, whole in zip(taken, size, strict=True))
    return ConvTranspose2d(size, steps, (top, left))
