# SPDX-License-Identifier: Apache-2.0
"""The fields of `struct stw_volume`, which kernels for up to three spatial axes have."""

from __future__ import annotations

from stowage.ir.graph import Node
from stowage.ir.ops.transposed import ConvTranspose2d, ConvTranspose3d
from stowage.ir.ops.unpooling import MaxPoolIndices
from stowage.ir.ops.volume import Conv3d
from stowage.ir.ops.window import Conv2d
from stowage.target.kernels.kernel import ParameterValue

VolumeOp = Conv2d | Conv3d | ConvTranspose2d | ConvTranspose3d


def volume_parameters(node: Node, op: VolumeOp) -> tuple[tuple[str, ParameterValue], ...]:
    """The window of a node with operands input [N, …, I] and weights [O, …, I / groups]; an image has depth one."""
    return _volume(node, op, node.inputs[1].type.shape[1:-1])


def pooled_volume(node: Node, op: MaxPoolIndices) -> tuple[tuple[str, ParameterValue], ...]:
    """The window of a pool [N, D, H, W, C]."""
    return _volume(node, op, op.kernel)


def _volume(
    node: Node, op: VolumeOp | MaxPoolIndices, kernel: tuple[int, ...]
) -> tuple[tuple[str, ParameterValue], ...]:
    data, result = node.inputs[0].type.shape, node.output.type.shape
    axes = len(data) - 2
    return (
        ("volume.batches", data[0]),
        ("volume.input_channels", data[-1]),
        ("volume.output_channels", result[-1]),
        ("volume.input", _three(data[1:-1], 1)),
        ("volume.output", _three(result[1:-1], 1)),
        ("volume.kernel", _three(kernel, 1)),
        ("volume.stride", _three(op.strides, 1)),
        ("volume.dilation", _three(op.dilations, 1)),
        ("volume.pad", _three(op.pads[:axes], 0)),
    )


def _three(values: tuple[int, ...], missing: int) -> tuple[int, ...]:
    """(depth, height, width)."""
    return (missing,) * (3 - len(values)) + values
