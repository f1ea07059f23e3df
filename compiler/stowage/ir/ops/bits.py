# SPDX-License-Identifier: Apache-2.0
"""Operators on the bits of elements beside the connectives, which also work bit by bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.combination import NumberCombination, check_bits
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_count, sole
from stowage.ir.tensor_type import Quant, TensorType


class Shift(NumberCombination):
    """Bits of integers moved by as many places as the second operand says.

    A count that is negative, or no smaller than the number of bits, leaves nothing but what comes in.
    """

    __slots__ = ()

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("a", "b"))
        check_bits("a", operands[0])
        return NumberCombination.result_types(self, operands)


@dataclass(frozen=True, slots=True)
class ShiftLeft(Shift):
    """a * 2^b, modulo 2^bits: what comes in is 0."""

    mnemonic: ClassVar[str] = "shift_left"


@dataclass(frozen=True, slots=True)
class ShiftRight(Shift):
    """a / 2^b, rounded down: what comes in is 0, or the sign."""

    mnemonic: ClassVar[str] = "shift_right"


@dataclass(frozen=True, slots=True)
class BitCast(Op):
    """The same bits as elements of a type of that size, but of bool, of which not all bits are values.

    Integers stand for reals as `quant` says, or for themselves.
    """

    mnemonic: ClassVar[str] = "bit_cast"
    to: DType
    quant: Quant | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        if data.dtype.size_bytes != self.to.size_bytes or self.to is DType.BOOL:
            raise ShapeError(f"the bits of {data.dtype.value} are no elements of type {self.to.value}")
        return (TensorType(data.shape, self.to, self.quant),)
