# SPDX-License-Identifier: Apache-2.0
"""Truth values of one element: what each element is, or is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.combination import check_bits
from stowage.ir.ops.op import Op
from stowage.ir.ops.operands import Operands, check_real, sole
from stowage.ir.tensor_type import TensorType


class TruthFunction(Op):
    """A truth value of each element."""

    __slots__ = ()

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_real("input", sole(operands))
        return (TensorType(sole(operands).shape, DType.BOOL),)


@dataclass(frozen=True, slots=True)
class Not(TruthFunction):
    """The other truth value; of integers, all other bits."""

    mnemonic: ClassVar[str] = "not"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_bits("input", sole(operands))
        return (sole(operands),)


@dataclass(frozen=True, slots=True)
class IsNan(TruthFunction):
    """Whether an element is not a number."""

    mnemonic: ClassVar[str] = "is_nan"


@dataclass(frozen=True, slots=True)
class IsInf(TruthFunction):
    """Whether an element is an infinity of a sign that is asked for."""

    mnemonic: ClassVar[str] = "is_inf"
    positive: bool = True
    negative: bool = True
