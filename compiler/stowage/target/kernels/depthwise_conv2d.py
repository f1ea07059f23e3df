# SPDX-License-Identifier: Apache-2.0
"""Depthwise convolution: depthwise_conv2d_s8.h and depthwise_conv2d_f32.h."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.window import DepthwiseConv2d
from stowage.ir.ops.window_shape import Pair, window_axes
from stowage.target.kernels.byte_weights import lower_byte_weights, takes_byte_weights
from stowage.target.kernels.call_parts import per_tensor, pointers
from stowage.target.kernels.float_output import float_output
from stowage.target.kernels.kernel import (
    FORWARD,
    Direction,
    KernelCall,
    KernelConstant,
    Overlap,
    ParameterValue,
    Site,
)
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.requantisation import product_requantisation
from stowage.target.kernels.weights import constant, float_bias, folded_bias, symmetric_weights
from stowage.target.kernels.window_parameters import window_parameters
from stowage.target.kernels.window_walk import UNSEEN, Counts, block_ahead, both_ways, last_block, lead, pixels_before
from stowage.target.kernels.words import lower_words, takes_words

_BLOCK = 4
"""Channels made at once, where each has an input channel of its own."""
_OCTET = 8
"""The same for cores with MVE, where those that are left over are made at once too."""
_SMALL = 5
"""The largest kernel of which the int8 kernel makes windows inside of the image in pairs, channel by channel."""


def lower_depthwise_conv2d(node: Node, site: Site) -> KernelCall:
    """The call for DepthwiseConv2d."""
    if takes_words(node):
        return lower_words(node, site)
    if takes_byte_weights(node):
        return lower_byte_weights(node, site)
    return _lower_f32(node, site) if kernel_type(node) is DType.F32 else _lower_s8(node, site)


def _op(node: Node) -> DepthwiseConv2d:
    assert isinstance(node.op, DepthwiseConv2d)
    return node.op


def _kernel(node: Node) -> Pair:
    height, width, _ = node.inputs[1].type.shape
    return height, width


def _window(node: Node) -> tuple[tuple[str, ParameterValue], ...]:
    return (*window_parameters(node, _op(node), _kernel(node)), FORWARD)


def _lower_s8(node: Node, site: Site) -> KernelCall:
    weights = symmetric_weights(node, site)
    output = product_requantisation(node, site.arithmetic)
    in_octets = _in_octets(node, site)
    return KernelCall(
        header="stowage/kernels/depthwise_conv2d_s8.h",
        function="stw_depthwise_conv2d_s8",
        parameters=(
            *_window(node),
            ("octets", int(in_octets)),
            ("input_zero_point", per_tensor(node.inputs[0]).zero_point),
            *output.parameters,
        ),
        arguments=pointers(("int8_t",), "int8_t", ("int8_t", "int32_t", "int32_t", "int8_t")),
        constants=(
            KernelConstant("weights", weights),
            KernelConstant("bias", folded_bias(node, site, weights.reshape(-1, weights.shape[2]).T)),
            *output.constants,
        ),
        overlaps=_overlaps(node, _ahead_octets if in_octets else _ahead_s8),
    )


def _in_octets(node: Node, site: Site) -> bool:
    return "mve" in site.features and _channels(node)[1] == 1


def _lower_f32(node: Node, site: Site) -> KernelCall:
    weights = constant(node.inputs[1], site, "weights")
    return KernelCall(
        header="stowage/kernels/depthwise_conv2d_f32.h",
        function="stw_depthwise_conv2d_f32",
        parameters=(*_window(node), *float_output(getattr(node.op, "clamp", None))),
        arguments=pointers(("float",), "float", ("float", "float")),
        constants=(
            KernelConstant("weights", weights),
            KernelConstant("bias", float_bias(node, site, weights.shape[2])),
        ),
        overlaps=_overlaps(node, _ahead_alone),
    )


def _overlaps(node: Node, ahead: Callable[[Node, Direction], Counts | int]) -> tuple[Overlap, ...]:
    op = _op(node)
    written, read = node.output.type.shape[3], node.inputs[0].type.shape[3]

    def distance_elements(direction: Direction) -> int:
        before = pixels_before(node, op, _kernel(node), direction)
        return lead(before, written, read, ahead(node, direction))

    return both_ways(distance_elements, node.output.type.dtype.size_bytes)


def _ahead_alone(node: Node, direction: Direction) -> int:
    """`ahead` of pixels that are made one by one."""
    channels, multiplier = _channels(node)
    last = last_block(channels, _BLOCK if multiplier == 1 else 1)
    return block_ahead(1, channels, last, multiplier, direction)


def _ahead_s8(node: Node, direction: Direction) -> Counts:
    """`ahead` of the pixels of an image, of which pairs are made channel by channel."""
    return _ahead_in_pairs(node, direction, _ahead_alone(node, direction), _channels(node)[0] - 1)


def _ahead_octets(node: Node, direction: Direction) -> Counts:
    """The same where channels are made in octets, whether in pairs or not."""
    channels, multiplier = _channels(node)
    last = (channels - 1) // _OCTET * _OCTET
    return _ahead_in_pairs(node, direction, block_ahead(1, channels, last, multiplier, direction), last)


def _ahead_in_pairs(node: Node, direction: Direction, alone: int, last: int) -> Counts:
    """`ahead` of the pixels of an image: far behind for the second of a pair, which is made with the first.

    Args:
        node: a depthwise convolution.
        direction: of the walk.
        alone: `ahead` of pixels that are made one by one.
        last: the first channel of the last block of a pair.
    """
    channels, multiplier = _channels(node)
    height, width = node.output.type.shape[1:3]
    ahead = np.full((height, width), alone, np.int64)
    rows, columns = _inside(node, direction)
    if max(_kernel(node)) > _SMALL or not rows.size or not columns.size:
        return ahead
    places = np.arange(columns[0], columns[-1] + 1)
    made = np.where(places == columns[-1], 1, 2)
    ahead[np.ix_(rows, places)] = [block_ahead(pixels, channels, last, multiplier, direction) for pixels in made]
    ahead[np.ix_(rows, places[1::2])] = -UNSEEN
    return ahead


def _inside(node: Node, direction: Direction) -> tuple[Counts, Counts]:
    """The rows and the columns of output pixels, by their place in the walk, whose windows lie inside of the image."""
    op, extents = _op(node), node.inputs[0].type.shape[1:3]
    inside = []
    axes = window_axes(_kernel(node), op.strides, op.pads, op.dilations)
    for axis, extent, places in zip(axes, extents, node.output.type.shape[1:3], strict=True):
        whole = [len(axis.taps(place, extent)) == axis.kernel for place in range(places)]
        inside.append(np.flatnonzero(whole if direction is Direction.FORWARD else whole[::-1]))
    return inside[0], inside[1]


def _channels(node: Node) -> tuple[int, int]:
    """Output channels, and how many there are to an input channel."""
    channels = node.output.type.shape[3]
    return channels, channels // node.inputs[0].type.shape[3]
