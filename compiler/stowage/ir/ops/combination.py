# SPDX-License-Identifier: Apache-2.0
"""Operators that combine tensors element by element without a fused activation; operands broadcast as in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.broadcast import broadcast
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_alike, check_count, check_number
from stowage.ir.tensor_type import TensorType


class Combination(Op):
    """What every combination is: one result of the operands' common shape."""

    __slots__ = ()


class NumberCombination(Combination):
    """Two numbers make one of the same element type."""

    __slots__ = ()

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        return (_common(operands),)


class Comparison(Combination):
    """Two numbers make a truth value."""

    __slots__ = ()

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        return (TensorType(_common(operands).shape, DType.BOOL),)


class Connective(Combination):
    """Two truth values make one, or two integers one, bit by bit."""

    __slots__ = ()

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("a", "b"))
        a, b = operands
        check_bits("a", a)
        check_alike("a", a, "b", b)
        return (TensorType(broadcast(a.shape, b.shape), a.dtype),)


@dataclass(frozen=True, slots=True)
class Pow(NumberCombination):
    """a^b; a negative real a needs a whole b, else it is a NaN; integers wrap around, and a negative b gives 1 / a^-b
    towards zero."""

    mnemonic: ClassVar[str] = "pow"


@dataclass(frozen=True, slots=True)
class Min(NumberCombination):
    """The smaller of two."""

    mnemonic: ClassVar[str] = "min"


@dataclass(frozen=True, slots=True)
class Max(NumberCombination):
    """The larger of two."""

    mnemonic: ClassVar[str] = "max"


@dataclass(frozen=True, slots=True)
class Mod(NumberCombination):
    """The rest of a / b: with the sign of b, or of a where `truncated` (C's fmod). By zero it is 0 for integers."""

    mnemonic: ClassVar[str] = "mod"
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class PRelu(NumberCombination):
    """a where a >= 0, else a * b: b is the slope."""

    mnemonic: ClassVar[str] = "prelu"


@dataclass(frozen=True, slots=True)
class Equal(Comparison):
    """a == b, of truth values too."""

    mnemonic: ClassVar[str] = "equal"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        if [operand.dtype for operand in operands] == [DType.BOOL] * 2:
            return (TensorType(broadcast(operands[0].shape, operands[1].shape), DType.BOOL),)
        return Comparison.result_types(self, operands)


@dataclass(frozen=True, slots=True)
class Less(Comparison):
    """a < b."""

    mnemonic: ClassVar[str] = "less"


@dataclass(frozen=True, slots=True)
class LessOrEqual(Comparison):
    """a <= b."""

    mnemonic: ClassVar[str] = "less_or_equal"


@dataclass(frozen=True, slots=True)
class And(Connective):
    """Both."""

    mnemonic: ClassVar[str] = "and"


@dataclass(frozen=True, slots=True)
class Or(Connective):
    """One of them, or both."""

    mnemonic: ClassVar[str] = "or"


@dataclass(frozen=True, slots=True)
class Xor(Connective):
    """Exactly one of them."""

    mnemonic: ClassVar[str] = "xor"


@dataclass(frozen=True, slots=True)
class Where(Combination):
    """Elements of `a` where the truth value is true, else of `b`."""

    mnemonic: ClassVar[str] = "where"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("condition", "a", "b"))
        condition, a, b = operands
        check_truth("condition", condition)
        check_alike("a", a, "b", b)
        if a.quant != b.quant or (a.quant is not None and a.quant.axis is not None):
            raise ShapeError("a and b have different quantisations, or along an axis")
        return (TensorType(reduce(broadcast, (condition.shape, a.shape, b.shape)), a.dtype, a.quant),)


def check_bits(name: str, operand: TensorType) -> None:
    """Refuses reals."""
    if operand.dtype.is_float or operand.quant is not None:
        raise ShapeError(f"{name} has elements of type {operand.dtype.value}, but truth values or integers are needed")


def check_truth(name: str, operand: TensorType) -> None:
    """Refuses numbers."""
    if operand.dtype is not DType.BOOL:
        raise ShapeError(f"{name} has elements of type {operand.dtype.value}, but truth values (i1) are needed")


def _common(operands: Operands) -> TensorType:
    check_count(operands, ("a", "b"))
    a, b = operands
    check_number("a", a)
    check_alike("a", a, "b", b)
    return TensorType(broadcast(a.shape, b.shape), a.dtype)
