# SPDX-License-Identifier: Apache-2.0
"""AVERAGE_POOL_2D and MAX_POOL_2D."""

from __future__ import annotations

from stowage.frontend.from_tflite.fused_activation import fused_clamp
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.quantised_alike import check_alike, clipped
from stowage.frontend.from_tflite.read_as import read_as, reinterpreted
from stowage.frontend.from_tflite.window import filter_size, pads, strides
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Cast
from stowage.ir.ops.window import AveragePool2d, MaxPool2d
from stowage.ir.ops.window_shape import Pads, Pair
from stowage.ir.tensor_type import Quant


def average_pool2d(site: OperatorSite) -> list[Value]:
    """Padding is not counted."""
    data = _image(site)
    if data.type.dtype is DType.U8:
        return [clipped(site, _average_of_unsigned(site, data))]
    op = AveragePool2d(*window_of(site, data), clamp=fused_clamp(site, site.declared()))
    return [site.add_as(op, (data,), like=data.type)]


def _average_of_unsigned(site: OperatorSite, data: Value) -> Value:
    """Halves of unsigned integers go away from zero, and so upwards: in words, which have no other sign."""
    words = site.add(Cast(DType.I16), (data,), "words")
    reals = reinterpreted(site, words, Quant((1.0,), (0,)), "averaged")
    means = site.add_as(AveragePool2d(*window_of(site, data)), (reals,), like=reals.type, role="means")
    return read_as(site, site.add(Cast(DType.U8), (means,), "bytes"))


def max_pool2d(site: OperatorSite) -> list[Value]:
    """Padding never wins."""
    data = _image(site)
    return [clipped(site, site.add(MaxPool2d(*window_of(site, data)), (data,)))]


def window_of(site: OperatorSite, data: Value) -> tuple[Pair, Pair, Pads]:
    """Extents, strides and pads of a pooling window over an image."""
    if len(data.type.shape) != 4:
        site.invalid(f"its input has the shape {list(data.type.shape)} instead of four axes")
    kernel, steps = filter_size(site), strides(site)
    return kernel, steps, pads(site, (data.type.shape[1], data.type.shape[2]), kernel, steps)


def _image(site: OperatorSite) -> Value:
    data = site.input(0)
    check_alike(site, data)
    return data
