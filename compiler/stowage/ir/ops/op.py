# SPDX-License-Identifier: Apache-2.0
"""What every operator record is: a frozen dataclass that carries its attributes and its shape rule."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from stowage.ir.tensor_type import TensorType


class Op:
    """An operator. Subclasses are frozen, slotted dataclasses whose fields are the attributes.

    Real-valued operators are also defined over quantised integer types: they then mean "dequantise the operands,
    compute in reals, quantise to the output's type", done in integers as the graph's `Arithmetic` says.

    It is no `ABC`, though type checkers treat it as one: asking what an operator is, is what passes do most, and of
    such classes the answer takes several times as long.
    """

    __slots__ = ()
    mnemonic: ClassVar[str]
    """The name in dumps, after ONNX's or TOSA's, in snake case."""

    @abstractmethod
    def result_types(self, operands: tuple[TensorType, ...]) -> tuple[TensorType, ...]:
        """The types of the outputs for these operands.

        The output of an operator on quantised operands takes the operand's quantisation where the operator only moves
        elements, and none otherwise (the quantised output type is then the pass's or importer's to give).

        Raises:
            ShapeError: the operands do not suit the operator or each other.
        """


class ShapeError(ValueError):
    """Operands that an operator cannot take; the message says which and why, without naming file or node."""
