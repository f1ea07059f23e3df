# SPDX-License-Identifier: Apache-2.0
"""The fields of `struct stw_window`, which all kernels that slide a window over an image have."""

from __future__ import annotations

from stowage.ir.graph import Node
from stowage.ir.ops.sampling import DeformConv2d
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.ops.window_shape import Pair
from stowage.target.kernels.kernel import ParameterValue

WindowOp = Conv2d | DepthwiseConv2d | MaxPool2d | AveragePool2d


def window_parameters(
    node: Node, op: WindowOp | ConvTranspose2d | DeformConv2d, kernel: Pair
) -> tuple[tuple[str, ParameterValue], ...]:
    """The window of a node with one image [N, H, W, C] in and one out; `kernel` is its (height, width)."""
    batches, input_height, input_width, input_channels = node.inputs[0].type.shape
    _, output_height, output_width, output_channels = node.output.type.shape
    return (
        ("window.batches", batches),
        ("window.input_height", input_height),
        ("window.input_width", input_width),
        ("window.input_channels", input_channels),
        ("window.output_height", output_height),
        ("window.output_width", output_width),
        ("window.output_channels", output_channels),
        ("window.kernel_height", kernel[0]),
        ("window.kernel_width", kernel[1]),
        ("window.stride_height", op.strides[0]),
        ("window.stride_width", op.strides[1]),
        ("window.dilation_height", op.dilations[0]),
        ("window.dilation_width", op.dilations[1]),
        ("window.pad_top", op.pads[0]),
        ("window.pad_left", op.pads[1]),
    )
