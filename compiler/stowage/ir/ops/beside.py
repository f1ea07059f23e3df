# SPDX-License-Identifier: Apache-2.0
"""Operators whose result goes straight into a wider tensor: beside another one, in each pixel.

Their last operand is what is kept [..., K], of the others the operator makes [..., M]. The result is the concat of the
two along the last axis, in either order; they have one quantisation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import AveragePool2d, Conv2d, MaxPool2d
from stowage.ir.tensor_type import TensorType


class Beside(Op):
    """What all of them are.

    Attributes:
        op: what is made.
        made_first: whether its channels come before those that are kept.
    """

    __slots__ = ()
    op: Op
    made_first: bool

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        if len(operands) < 2:
            raise ShapeError(f"takes the operands of {self.op.mnemonic} and what is kept, but has {len(operands)}")
        made, kept = self.made_type(operands), operands[-1]
        if made.dtype is not kept.dtype or made.shape[:-1] != kept.shape[:-1]:
            raise ShapeError(f"{kept} cannot lie beside {made} in each pixel")
        return (replace(kept, shape=(*kept.shape[:-1], kept.shape[-1] + made.shape[-1])),)

    def made_type(self, operands: Operands) -> TensorType:
        """The type of what is made, from the types of all operands."""
        (made,) = self.op.result_types(operands[:-1])
        return replace(made, quant=operands[-1].quant)


@dataclass(frozen=True, slots=True)
class Conv2dBeside(Beside):
    """A convolution beside a tensor [N, OH, OW, K]."""

    mnemonic: ClassVar[str] = "conv2d_beside"
    op: Conv2d
    made_first: bool


@dataclass(frozen=True, slots=True)
class ConvTranspose2dBeside(Beside):
    """A transposed convolution beside a tensor [N, *size, K]."""

    mnemonic: ClassVar[str] = "conv_transpose2d_beside"
    op: ConvTranspose2d
    made_first: bool


@dataclass(frozen=True, slots=True)
class FullyConnectedBeside(Beside):
    """A dense layer beside a tensor [..., K]."""

    mnemonic: ClassVar[str] = "fully_connected_beside"
    op: FullyConnected
    made_first: bool


@dataclass(frozen=True, slots=True)
class MaxPool2dBeside(Beside):
    """Max pooling beside a tensor [N, OH, OW, K]."""

    mnemonic: ClassVar[str] = "max_pool2d_beside"
    op: MaxPool2d
    made_first: bool


@dataclass(frozen=True, slots=True)
class AveragePool2dBeside(Beside):
    """Average pooling beside a tensor [N, OH, OW, K]."""

    mnemonic: ClassVar[str] = "average_pool2d_beside"
    op: AveragePool2d
    made_first: bool
