# SPDX-License-Identifier: Apache-2.0
"""Operators that slide a window over the height and width of an image: convolution and pooling.

Images are NHWC: (batch, height, width, channels). Pads are (top, left, bottom, right) in elements; strides, dilations
and kernels are (height, width). A clamp is the fused activation: (lowest, highest) real value of the output.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.moved_quant import check_axes_kept
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import (
    Operands,
    check_bias,
    check_count,
    check_groups,
    check_number,
    check_rank,
    check_real,
    check_weights,
    sole,
)
from stowage.ir.ops.window_shape import Pads, Pair, WindowAxis, check_sees_image, output_extents, window_axes
from stowage.ir.tensor_type import TensorType

Clamp = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Conv2d(Op):
    """Convolution: input [N, H, W, I], weights [O, KH, KW, I / groups], bias [O] (optional) -> [N, OH, OW, O]."""

    mnemonic: ClassVar[str] = "conv2d"
    strides: Pair = (1, 1)
    pads: Pads = (0, 0, 0, 0)
    dilations: Pair = (1, 1)
    groups: int = 1
    clamp: Clamp | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights"), ("bias",))
        data, weights = operands[:2]
        check_rank("input", data, 4, "[N, H, W, I]")
        check_rank("weights", weights, 4, "[O, KH, KW, I / groups]")
        check_weights(data, weights)
        check_groups(self.groups, data.shape[3], weights.shape[0], weights.shape[3])
        _, height, width, _ = weights.shape
        axes = window_axes((height, width), self.strides, self.pads, self.dilations)
        return _convolved(operands, axes, weights.shape[0])


@dataclass(frozen=True, slots=True)
class DepthwiseConv2d(Op):
    """Depthwise convolution: input [N, H, W, C], weights [KH, KW, O], bias [O] (optional) -> [N, OH, OW, O].

    O is a multiple of C; output channel o reads input channel o // (O // C).
    """

    mnemonic: ClassVar[str] = "depthwise_conv2d"
    strides: Pair = (1, 1)
    pads: Pads = (0, 0, 0, 0)
    dilations: Pair = (1, 1)
    clamp: Clamp | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights"), ("bias",))
        data, weights = operands[:2]
        check_rank("input", data, 4, "[N, H, W, C]")
        check_rank("weights", weights, 3, "[KH, KW, O]")
        check_weights(data, weights)
        channels, outputs = data.shape[3], weights.shape[2]
        if channels < 1 or outputs % channels:
            raise ShapeError(f"weights have {outputs} channels, which is no multiple of the input's {channels}")
        height, width, _ = weights.shape
        axes = window_axes((height, width), self.strides, self.pads, self.dilations)
        return _convolved(operands, axes, outputs)


@dataclass(frozen=True, slots=True)
class MaxPool2d(Op):
    """Largest element under the window; padding never wins: input [N, H, W, C] -> [N, OH, OW, C]."""

    mnemonic: ClassVar[str] = "max_pool2d"
    kernel: Pair
    strides: Pair = (1, 1)
    pads: Pads = (0, 0, 0, 0)
    dilations: Pair = (1, 1)

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_rank("input", data, 4, "[N, H, W, C]")
        check_number("input", data)
        axes = window_axes(self.kernel, self.strides, self.pads, self.dilations)
        pooled = TensorType(_slid(data, axes, data.shape[3]), data.dtype, data.quant)
        check_sees_image(_image(data), axes)
        check_axes_kept(data.quant, (1, 2), "max_pool2d pools")
        return (pooled,)


@dataclass(frozen=True, slots=True)
class AveragePool2d(Op):
    """Mean under the window: input [N, H, W, C] -> [N, OH, OW, C].

    Padding counts as zeros where `count_include_pad`, else only elements of the image are summed and counted.
    """

    mnemonic: ClassVar[str] = "average_pool2d"
    kernel: Pair
    strides: Pair = (1, 1)
    pads: Pads = (0, 0, 0, 0)
    dilations: Pair = (1, 1)
    count_include_pad: bool = False
    clamp: Clamp | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_rank("input", data, 4, "[N, H, W, C]")
        check_real("input", data)
        axes = window_axes(self.kernel, self.strides, self.pads, self.dilations)
        pooled = TensorType(_slid(data, axes, data.shape[3]), data.dtype)
        if not self.count_include_pad:
            check_sees_image(_image(data), axes)
        return (pooled,)


def _image(data: TensorType) -> Pair:
    _, height, width, _ = data.shape
    return height, width


def _slid(data: TensorType, axes: tuple[WindowAxis, WindowAxis], channels: int) -> tuple[int, ...]:
    """The output shape [N, OH, OW, channels]."""
    return (data.shape[0], *output_extents(_image(data), axes), channels)


def _convolved(operands: Operands, axes: tuple[WindowAxis, WindowAxis], channels: int) -> tuple[TensorType, ...]:
    """The output of a convolution whose input and weights have been checked."""
    data = operands[0]
    for bias in operands[2:]:
        check_bias(data, bias, channels)
    return (TensorType(_slid(data, axes, channels), data.dtype),)
