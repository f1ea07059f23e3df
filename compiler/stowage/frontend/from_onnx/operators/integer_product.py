# SPDX-License-Identifier: Apache-2.0
"""MatMulInteger and ConvInteger, and DynamicQuantizeLinear, which makes their operands: integers less zero points.

A convolution is summed tap by tap of its window: what lies under a tap is a matrix of pixels by channels. Weights may
come at run time, and sums are exact in 32 bits.
"""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_onnx.image import from_nhwc, to_nhwc, to_ohwi
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.operators.convolution import convolution
from stowage.frontend.from_onnx.runtime_quantisation import Steps, centred, quantised
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Equal, Max, Min, Where
from stowage.ir.ops.elementwise import Add, Cast, Clip, Div, Sub
from stowage.ir.ops.function import Neg, Round
from stowage.ir.ops.linear import MatMul
from stowage.ir.ops.movement import Pad, Reshape, Slice, Transpose
from stowage.ir.ops.reduction import ReduceMax, ReduceMin
from stowage.ir.ops.window import Conv2d
from stowage.ir.ops.window_shape import output_extents, window_axes

Taps = tuple[int, int]


def integer_matmul(site: NodeSite, a: tuple[int, int], b: tuple[int, int]) -> Value:
    """The product of two operands, each given by its index and that of its zero point: one, one a row of a, or one a
    column of b."""
    return site.add(MatMul(), _rows(site, *a), _less_zero(site, *b), role="sums")


def _rows(site: NodeSite, index: int, zero_point: int) -> Value:
    zeros = site.number(zero_point) if site.has(zero_point) else None
    return centred(site, site.number(index), None if zeros is None else of_rows(site, zeros))


def of_rows(site: NodeSite, values: Value) -> Value:
    """A list of one number a row, as a column."""
    shape = values.type.shape
    return site.moved(Reshape((*shape, 1)), values, "of_rows") if len(shape) == 1 and shape[0] > 1 else values


def _less_zero(site: NodeSite, index: int, zero_point: int) -> Value:
    return centred(site, site.number(index), site.number(zero_point) if site.has(zero_point) else None)


def integer_convolution(site: NodeSite, data: tuple[int, int], weights: tuple[int, int]) -> Value:
    """[N, OH, OW, O]: the convolution of two operands, each given by its index and that of its zero point, of which
    the weights may have one an output channel."""
    op = convolution(site, data[0], weights[0])
    image = to_nhwc(site, _less_zero(site, *data))
    kernels = to_ohwi(site, site.number(weights[0]))
    zeros = site.number(weights[1]) if site.has(weights[1]) else None
    if zeros is not None and zeros.type.elements > 1:
        zeros = site.moved(Reshape((zeros.type.elements, 1, 1, 1)), zeros, "of_channels")
    return _summed(site, op, image, centred(site, kernels, zeros))


def _summed(site: NodeSite, op: Conv2d, image: Value, kernels: Value) -> Value:
    outputs, rows, columns, taken = kernels.type.shape
    batch, height, width, channels = image.type.shape
    if op.groups < 1 or outputs % op.groups or taken * op.groups != channels:
        raise site.invalid(
            f"weights of shape {list(kernels.type.shape)} in {op.groups} groups do not go with the input"
        )
    axes = window_axes((rows, columns), op.strides, op.pads, op.dilations)
    places = (batch, *output_extents((height, width), axes))
    top, left, bottom, right = op.pads
    padded = site.add(Pad((0, top, left, 0), (0, bottom, right, 0)), image, role="padded") if any(op.pads) else image
    total: Value | None = None
    for tap in np.ndindex(rows, columns):
        product = site.add(
            MatMul(), _pixels(site, op, padded, tap, places), _matrix(site, op, kernels, tap), role=f"tap{tap}"
        )
        total = product if total is None else site.add(Add(), total, product, role=f"sum{tap}")
    assert total is not None
    together = site.add(Transpose((1, 0, 2)), total, role="together")
    return site.add(Reshape((*places, outputs)), together, role="sums")


def _pixels(site: NodeSite, op: Conv2d, image: Value, tap: Taps, places: tuple[int, ...]) -> Value:
    """What lies under a tap: [groups, pixels, channels of a group]."""
    batch, height, width = places
    channels = image.type.shape[3]
    begins = (0, tap[0] * op.dilations[0], tap[1] * op.dilations[1], 0)
    under = site.add(Slice(begins, (batch, height, width, channels), (1, *op.strides, 1)), image, role="under")
    rows = site.add(Reshape((batch * height * width, op.groups, channels // op.groups)), under, role="rows")
    return site.add(Transpose((1, 0, 2)), rows, role="grouped")


def _matrix(site: NodeSite, op: Conv2d, kernels: Value, tap: Taps) -> Value:
    """The weights of a tap: [groups, channels of a group, outputs of a group]."""
    outputs, _, _, taken = kernels.type.shape
    part = site.add(Slice((0, *tap, 0), (outputs, 1, 1, taken), (1, 1, 1, 1)), kernels, role="tap")
    grouped = site.add(Reshape((op.groups, outputs // op.groups, taken)), part, role="tap_groups")
    return site.add(Transpose((0, 2, 1)), grouped, role="tap_matrix")


def _matmul_integer(site: NodeSite) -> Results:
    return (integer_matmul(site, (0, 2), (1, 3)),)


def _conv_integer(site: NodeSite) -> Results:
    return (from_nhwc(site, integer_convolution(site, (0, 2), (1, 3)), len(site.type(0).shape)),)


def _dynamic_quantize_linear(site: NodeSite) -> Results:
    """To uint8 by the range of the data and 0; of nothing but zeros the scale is 1."""
    value = site.real(0)
    axes, zero = tuple(range(len(value.type.shape))), site.scalar_constant("zero", 0.0)
    most = site.add(Max(), site.add(ReduceMax(axes, False), value, role="most"), zero, role="highest")
    least = site.add(Min(), site.add(ReduceMin(axes, False), value, role="least"), zero, role="lowest")
    span = site.add(Sub(), most, least, role="span")
    share = site.add(Div(), span, site.scalar_constant("steps_in_all", 255.0), role="share")
    empty = site.add(Equal(), span, zero, role="empty")
    scale = site.add(Where(), empty, site.scalar_constant("one", 1.0), share, role="scale")
    steps = site.add(Round(), site.add(Div(), site.add(Neg(), least, role="depth"), scale, role="steps_below"))
    zero_point = site.add(Cast(DType.U8), site.add(Clip(0.0, 255.0), steps, role="in_range"), role="zero_point")
    return quantised(site, value, Steps(scale, zero_point), DType.U8), scale, zero_point


IMPORTERS: Importers = {
    "MatMulInteger": _matmul_integer,
    "ConvInteger": _conv_integer,
    "DynamicQuantizeLinear": _dynamic_quantize_linear,
}
