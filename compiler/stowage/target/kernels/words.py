# SPDX-License-Identifier: Apache-2.0
"""Layers of 16-bit activations and 8-bit weights, all by one kernel: conv2d_s16.h."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Node
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d
from stowage.ir.quantised_clamp import quantised_bounds
from stowage.ir.tflite.wide_product import ACCUMULATOR_LIMIT, wide_multipliers
from stowage.target.kernels.call_parts import per_tensor, pointers, require_elements
from stowage.target.kernels.kernel import (
    Direction,
    KernelCall,
    KernelConstant,
    NoKernel,
    Overlap,
    ParameterValue,
    Site,
)
from stowage.target.kernels.weights import constant, symmetric_weights
from stowage.target.kernels.window_parameters import window_parameters
from stowage.target.kernels.window_walk import Counts, lead, pixels_before

Fields = tuple[tuple[str, ParameterValue], ...]


def takes_words(node: Node) -> bool:
    """Whether a layer has 16-bit activations, in and out, and 8-bit weights."""
    types = [value.type.dtype for value in (*node.inputs[:2], node.output)]
    return types == [DType.I16, DType.I8, DType.I16]


def lower_words(node: Node, site: Site) -> KernelCall:
    """The call for a Conv2d, DepthwiseConv2d or FullyConnected of which `takes_words` is true."""
    require_elements(node)
    if site.arithmetic is not Arithmetic.TFLITE or any(per_tensor(node.inputs[0]).zero_points):
        raise NoKernel("16-bit activations with a zero point, or in another arithmetic than TFLite's")
    weights = symmetric_weights(node, site)
    if isinstance(node.op, DepthwiseConv2d):
        weights = np.ascontiguousarray(np.moveaxis(weights, 2, 0))
    quant = node.inputs[1].type.quant
    assert quant is not None
    multipliers = wide_multipliers(node.op, per_tensor(node.inputs[0]), quant, per_tensor(node.output))
    lowest, highest = quantised_bounds(getattr(node.op, "clamp", None), node.output.type)
    return KernelCall(
        header="stowage/kernels/conv2d_s16.h",
        function="stw_conv2d_s16",
        parameters=(
            *window_fields(node),
            ("output.lowest", lowest),
            ("output.highest", highest),
            ("output.per_channel", int(len(multipliers) > 1)),
        ),
        arguments=pointers(("int16_t",), "int16_t", ("int8_t", "int64_t", "int32_t", "int8_t")),
        constants=(
            KernelConstant("weights", weights),
            KernelConstant("bias", _bias(node, site, weights.reshape(len(weights), -1))),
            KernelConstant("multipliers", np.array([each.value for each in multipliers], np.int32)),
            KernelConstant("shifts", np.array([each.shift for each in multipliers], np.int8)),
        ),
        overlaps=(Overlap(0, node.output.type.dtype.size_bytes * distance_elements(node)),),
    )


def distance_elements(node: Node) -> int:
    """The largest lead: an output channel reads its group of channels in the window when all before it are written."""
    written, read = node.output.type.shape[-1], node.inputs[0].type.shape[-1]
    groups, before = _groups(node), _pixels_before(node)
    channels = np.arange(written)
    done = channels // (written // groups) * (read // groups)
    return lead(before, written, read, int((channels - done).max()))


def _groups(node: Node) -> int:
    if isinstance(node.op, Conv2d):
        return node.op.groups
    return node.inputs[0].type.shape[3] if isinstance(node.op, DepthwiseConv2d) else 1


def _pixels_before(node: Node) -> Counts:
    op, extents = node.op, node.inputs[1].type.shape
    if isinstance(op, Conv2d):
        return pixels_before(node, op, (extents[1], extents[2]), Direction.FORWARD)
    if isinstance(op, DepthwiseConv2d):
        return pixels_before(node, op, (extents[0], extents[1]), Direction.FORWARD)
    return np.arange(math.prod(node.inputs[0].type.shape[:-1]), dtype=np.int64)


def window_fields(node: Node) -> Fields:
    """The window of a layer, a dense one among them, and its groups."""
    op, extents = node.op, node.inputs[1].type.shape
    if isinstance(op, Conv2d):
        window = window_parameters(node, op, (extents[1], extents[2]))
    elif isinstance(op, DepthwiseConv2d):
        window = window_parameters(node, op, (extents[0], extents[1]))
    else:
        window = _pixels(node)
    return (*window, ("groups", _groups(node)))


def _pixels(node: Node) -> Fields:
    """The window of a dense layer: its rows are images of one pixel."""
    channels, depth = node.inputs[1].type.shape
    rows = math.prod(node.inputs[0].type.shape[:-1])
    image = (("batches", rows), *_ones("input"), ("input_channels", depth))
    made = (*_ones("output"), ("output_channels", channels))
    window = (*_ones("kernel"), *_ones("stride"), *_ones("dilation"), ("pad_top", 0), ("pad_left", 0))
    return tuple((f"window.{name}", value) for name, value in (*image, *made, *window))


def _ones(name: str) -> tuple[tuple[str, int], ...]:
    return (f"{name}_height", 1), (f"{name}_width", 1)


def _bias(node: Node, site: Site, matrix: Array) -> NDArray[np.int64]:
    """The bias, zeros where there is none, once accumulators are known to stay within 48 bits."""
    given = constant(node.inputs[2], site, "biases") if len(node.inputs) > 2 else np.zeros(len(matrix))
    bias: NDArray[np.int64] = given.astype(np.int64)
    most = int((np.abs(bias) + (1 << 15) * np.abs(matrix.astype(np.int64)).sum(axis=1)).max(initial=0))
    if most >= ACCUMULATOR_LIMIT:
        raise NoKernel(f"weights and bias allow accumulators up to {most}, and kernels take less than 2^47")
    return bias
