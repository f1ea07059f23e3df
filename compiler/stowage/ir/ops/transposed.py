# SPDX-License-Identifier: Apache-2.0
"""Transposed convolution: each input pixel is spread over a window of the output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import (
    Operands,
    check_bias,
    check_count,
    check_groups,
    check_rank,
    check_weights,
)
from stowage.ir.ops.volume import Triple
from stowage.ir.ops.window_shape import Pair
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class ConvTranspose2d(Op):
    """Input [N, H, W, I], weights [O, KH, KW, I / groups], bias [O] (optional) -> [N, *size, O].

    Input pixel (y, x) and tap (j, i) go to output pixel (y * stride + j * dilation - pad, likewise for x); what falls
    outside of the output's `size` (height, width) is dropped. `pads` are (top, left).
    """

    mnemonic: ClassVar[str] = "conv_transpose2d"
    size: Pair
    strides: Pair = (1, 1)
    pads: Pair = (0, 0)
    dilations: Pair = (1, 1)
    groups: int = 1
    clamp: tuple[float, float] | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights"), ("bias",))
        check_rank("input", operands[0], 4, "[N, H, W, I]")
        check_rank("weights", operands[1], 4, "[O, KH, KW, I / groups]")
        return _spread(self, operands)


@dataclass(frozen=True, slots=True)
class ConvTranspose3d(Op):
    """The same over volumes: input [N, D, H, W, I], weights [O, KD, KH, KW, I / groups], bias [O] (optional) ->
    [N, *size, O]."""

    mnemonic: ClassVar[str] = "conv_transpose3d"
    size: Triple
    strides: Triple = (1, 1, 1)
    pads: Triple = (0, 0, 0)
    dilations: Triple = (1, 1, 1)
    groups: int = 1
    clamp: tuple[float, float] | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights"), ("bias",))
        check_rank("input", operands[0], 5, "[N, D, H, W, I]")
        check_rank("weights", operands[1], 5, "[O, KD, KH, KW, I / groups]")
        return _spread(self, operands)


ConvTranspose = ConvTranspose2d | ConvTranspose3d


def _spread(op: ConvTranspose, operands: Operands) -> tuple[TensorType, ...]:
    data, weights = operands[:2]
    check_weights(data, weights)
    outputs = weights.shape[0]
    check_groups(op.groups, data.shape[-1], outputs, weights.shape[-1])
    if min(op.size) < 1 or min(*op.strides, *op.dilations) < 1 or min(op.pads) < 0:
        raise ShapeError(f"the output would be {list(op.size)}, a stride or dilation is below 1, or a pad negative")
    for bias in operands[2:]:
        check_bias(data, bias, outputs)
    return (TensorType((data.shape[0], *op.size, outputs), data.dtype),)
