# SPDX-License-Identifier: Apache-2.0
"""Operators that slide a window over the height and width of an image: convolution and pooling.

Images are NHWC: (batch, height, width, channels). Pads are (top, left, bottom, right) in elements; strides, dilations and
kernels are (height, width). A clamp is the fused activation: (lowest, highest) real value of the output.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op

Pads = tuple[int, int, int, int]
Pair = tuple[int, int]
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


@dataclass(frozen=True, slots=True)
class MaxPool2d(Op):
    """Largest element under the window; padding never wins: input [N, H, W, C] -> [N, OH, OW, C]."""

    mnemonic: ClassVar[str] = "max_pool2d"
    kernel: Pair
    strides: Pair = (1, 1)
    pads: Pads = (0, 0, 0, 0)
    dilations: Pair = (1, 1)


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
