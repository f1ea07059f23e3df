# SPDX-License-Identifier: Apache-2.0
"""Operators that are two at once, for kernels that never hold what is between them as a whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from stowage.ir.ops.elementwise import Add
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_count
from stowage.ir.ops.window import Conv2d
from stowage.ir.tensor_type import Quant, TensorType


@dataclass(frozen=True, slots=True)
class Conv2dAdd(Op):
    """A convolution, and the sum of its result and another tensor: input [N, H, W, I], weights [O, KH, KW, I / groups],
    bias [O], addend [N, OH, OW, O] -> [N, OH, OW, O].

    Each of the two is rounded and clamped as it is alone.

    Attributes:
        conv: the convolution.
        made: the quantisation of its result.
        add: the sum; its first operand is the convolution's result.
    """

    mnemonic: ClassVar[str] = "conv2d_add"
    conv: Conv2d
    made: Quant | None
    add: Add

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights", "bias", "addend"))
        made, addend = self.made_type(operands[:3]), operands[3]
        if addend.shape != made.shape:
            raise ShapeError(f"the addend has shape {list(addend.shape)}, but the convolution makes {list(made.shape)}")
        return self.add.result_types((made, addend))

    def made_type(self, operands: Operands) -> TensorType:
        """The type of the convolution's result, from the types of its operands."""
        (made,) = self.conv.result_types(operands)
        return replace(made, quant=self.made)
