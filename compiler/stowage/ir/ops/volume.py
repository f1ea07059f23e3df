# SPDX-License-Identifier: Apache-2.0
"""Convolution over volumes, which are NDHWC: (batch, depth, height, width, channels)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op
from stowage.ir.ops.operands import (
    Operands,
    check_alike,
    check_bias,
    check_count,
    check_groups,
    check_rank,
    check_real,
)
from stowage.ir.ops.window_shape import WindowAxis, output_extent
from stowage.ir.tensor_type import TensorType

Triple = tuple[int, int, int]
VolumePads = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Conv3d(Op):
    """Input [N, D, H, W, I], weights [O, KD, KH, KW, I / groups], bias [O] (optional) -> [N, OD, OH, OW, O].

    Strides and dilations are (depth, height, width); pads are those in front of the three axes, then those behind.
    """

    mnemonic: ClassVar[str] = "conv3d"
    strides: Triple = (1, 1, 1)
    pads: VolumePads = (0, 0, 0, 0, 0, 0)
    dilations: Triple = (1, 1, 1)
    groups: int = 1
    clamp: tuple[float, float] | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights"), ("bias",))
        data, weights = operands[:2]
        check_rank("input", data, 5, "[N, D, H, W, I]")
        check_rank("weights", weights, 5, "[O, KD, KH, KW, I / groups]")
        check_real("input", data)
        check_alike("input", data, "weights", weights)
        check_groups(self.groups, data.shape[4], weights.shape[0], weights.shape[4])
        for bias in operands[2:]:
            check_bias(data, bias, weights.shape[0])
        names, axes = ("depth", "height", "width"), self.axes(weights.shape[1:4])
        extents = [output_extent(*each) for each in zip(names, data.shape[1:4], axes, strict=True)]
        return (TensorType((data.shape[0], *extents, weights.shape[0]), data.dtype),)

    def axes(self, kernel: tuple[int, ...]) -> tuple[WindowAxis, ...]:
        """The window of a kernel (depth, height, width) along each axis."""
        return tuple(
            WindowAxis(extent, self.strides[k], self.dilations[k], self.pads[k], self.pads[k + 3])
            for k, extent in enumerate(kernel)
        )
