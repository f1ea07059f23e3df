# SPDX-License-Identifier: Apache-2.0
"""Transposed convolution: each input pixel is spread over a window of the output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_alike, check_bias, check_count, check_rank, check_real
from stowage.ir.ops.window_shape import Pads, Pair
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class ConvTranspose2d(Op):
    """Input [N, H, W, I], weights [O, KH, KW, I / groups], bias [O] (optional) -> [N, *size, O].

    Input pixel (y, x) and tap (j, i) go to output pixel (y * stride + j * dilation - top, likewise left); what falls
    outside of the output's `size` (height, width) is dropped.
    """

    mnemonic: ClassVar[str] = "conv_transpose2d"
    size: Pair
    strides: Pair = (1, 1)
    pads: Pads = (0, 0, 0, 0)
    dilations: Pair = (1, 1)
    groups: int = 1

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights"), ("bias",))
        data, weights = operands[:2]
        check_rank("input", data, 4, "[N, H, W, I]")
        check_rank("weights", weights, 4, "[O, KH, KW, I / groups]")
        check_real("input", data)
        check_alike("input", data, "weights", weights)
        channels, outputs = data.shape[3], weights.shape[0]
        if self.groups < 1 or outputs % self.groups or weights.shape[3] * self.groups != channels:
            raise ShapeError(f"weights {list(weights.shape)} in {self.groups} groups do not take {channels} channels")
        if min(self.size) < 1 or min(*self.strides, *self.dilations) < 1:
            raise ShapeError(f"the output would be {list(self.size)}, or a stride or dilation is below 1")
        for bias in operands[2:]:
            check_bias(data, bias, outputs)
        return (TensorType((data.shape[0], *self.size, outputs), data.dtype),)
