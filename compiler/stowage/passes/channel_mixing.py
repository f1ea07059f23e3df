# SPDX-License-Identifier: Apache-2.0
"""A layer that mixes channels, as channels see it: which of its input each of its output needs, and what it knows.

An input channel that is one number everywhere adds the same to every sum of an output channel, if no window sees
padding instead (or the number is what padding stands for): the bias can hold that. In integers it is exact; of floats
only zeros are known, which add nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array, Node
from stowage.ir.ops.window import Conv2d
from stowage.ir.ops.window_shape import window_axes
from stowage.ir.reference.operand import Operand, Reals
from stowage.passes.channel_links import Flags


@dataclass(frozen=True, slots=True)
class Fixed:
    """Channels of a tensor that are one number everywhere, whatever the model is given.

    Attributes:
        known: for each channel, whether it is.
        elements: for each channel that number, as the tensor stores it; of no meaning where it is not known.
    """

    known: Flags
    elements: Array


@dataclass(frozen=True, slots=True)
class MixingLayer:
    """A convolution of one group, or a dense layer.

    Attributes:
        needs: [output channel, input channel]: whether the sum needs the input channel to be there.
        addends: [output channel, input channel]: what one that is not needed adds to the sum.
        bias: [output channel], zeros where the layer has none.
    """

    needs: Flags
    addends: Reals
    bias: Array

    def bias_without(self, dropped: Flags) -> Array:
        """The bias when these input channels, none of which is needed, are no longer there."""
        made: Array = (self.bias + self.addends[:, dropped].sum(axis=1)).astype(self.bias.dtype)
        return made


def mixing_layer(node: Node, weights: Array, bias: Array | None, data: Fixed) -> MixingLayer:
    """The layer of a Conv2d or FullyConnected, from its constants and what is known of its input."""
    wide = centred(node, weights)
    bias = np.zeros(len(wide), _sum_type(node)) if bias is None else bias
    quant = node.inputs[0].type.quant
    zero_point = 0 if quant is None else quant.zero_point
    numbers = np.where(data.known, data.elements.astype(np.float64) - zero_point, 0.0)
    addends = wide.sum(axis=1) * numbers
    foldable = data.known & ((numbers == 0) | (not _sees_padding(node)))
    if not _fits(bias, addends[:, foldable]):
        foldable &= numbers == 0
    return MixingLayer((wide != 0).any(axis=1) & ~foldable, addends, bias)


def centred(node: Node, weights: Array) -> NDArray[np.float64]:
    """A layer's weights less their zero points: [first axis, taps, last axis]."""
    type_ = node.inputs[1].type
    wide = weights.astype(np.float64) if type_.quant is None else Operand(type_, weights).centred
    return wide.reshape(len(weights), -1, weights.shape[-1])


def _sum_type(node: Node) -> str:
    data = node.inputs[0].type
    return "float32" if data.quant is None else "int64" if data.dtype.size_bytes == 2 else "int32"


def _sees_padding(node: Node) -> bool:
    """Whether a window has fewer taps in the image than in all; the first or the last one has, or none."""
    if not isinstance(node.op, Conv2d):
        return False
    kernel = node.inputs[1].type.shape[1], node.inputs[1].type.shape[2]
    axes = window_axes(kernel, node.op.strides, node.op.pads, node.op.dilations)
    sizes = zip(axes, node.inputs[0].type.shape[1:3], node.output.type.shape[1:3], strict=True)
    return any(len(axis.taps(at, extent)) < axis.kernel for axis, extent, places in sizes for at in (0, places - 1))


def _fits(bias: Array, addends: Reals) -> bool:
    if bias.dtype.kind == "f":
        return True
    most = np.abs(bias.astype(np.float64)) + np.abs(addends).sum(axis=1)
    return bool(most.max(initial=0) < min(2.0**31, np.iinfo(bias.dtype.name).max))
