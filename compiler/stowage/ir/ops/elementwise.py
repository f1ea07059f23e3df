# SPDX-License-Identifier: Apache-2.0
"""Operators that treat each element by itself; two operands broadcast as in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.broadcast import Shape, broadcast
from stowage.ir.ops.function import NumberFunction, RealFunction
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import EIGHT_BITS, Operands, check_alike, check_count, check_number, sole
from stowage.ir.tensor_type import Quant, TensorType

Clamp = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Add(Op):
    """a + b, then clamped if `clamp`."""

    mnemonic: ClassVar[str] = "add"
    clamp: Clamp | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        return _broadcast_numbers(operands)


@dataclass(frozen=True, slots=True)
class Sub(Op):
    """a - b, then clamped if `clamp`."""

    mnemonic: ClassVar[str] = "sub"
    clamp: Clamp | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        return _broadcast_numbers(operands)


@dataclass(frozen=True, slots=True)
class Mul(Op):
    """a * b, then clamped if `clamp`."""

    mnemonic: ClassVar[str] = "mul"
    clamp: Clamp | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        return _broadcast_numbers(operands)


@dataclass(frozen=True, slots=True)
class Div(Op):
    """a / b, then clamped if `clamp`; integers divide towards zero."""

    mnemonic: ClassVar[str] = "div"
    clamp: Clamp | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        return _broadcast_numbers(operands)


@dataclass(frozen=True, slots=True)
class Relu(NumberFunction):
    """max(x, 0)."""

    mnemonic: ClassVar[str] = "relu"


@dataclass(frozen=True, slots=True)
class Clip(NumberFunction):
    """min(max(x, lowest), highest); an absent bound is an infinity."""

    mnemonic: ClassVar[str] = "clip"
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class LeakyRelu(RealFunction):
    """x where x >= 0, else alpha * x."""

    mnemonic: ClassVar[str] = "leaky_relu"
    alpha: float = 0.01


@dataclass(frozen=True, slots=True)
class HardSigmoid(RealFunction):
    """max(0, min(1, alpha * x + beta))."""

    mnemonic: ClassVar[str] = "hard_sigmoid"
    alpha: float = 0.2
    beta: float = 0.5


@dataclass(frozen=True, slots=True)
class HardSwish(RealFunction):
    """x * max(0, min(1, x / 6 + 0.5))."""

    mnemonic: ClassVar[str] = "hard_swish"


@dataclass(frozen=True, slots=True)
class Sigmoid(RealFunction):
    """1 / (1 + exp(-x))."""

    mnemonic: ClassVar[str] = "sigmoid"


@dataclass(frozen=True, slots=True)
class Tanh(RealFunction):
    """Hyperbolic tangent."""

    mnemonic: ClassVar[str] = "tanh"


@dataclass(frozen=True, slots=True)
class Cast(Op):
    """The same number in another element type, as ONNX Cast defines it."""

    mnemonic: ClassVar[str] = "cast"
    to: DType

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        return (TensorType(sole(operands).shape, self.to),)


@dataclass(frozen=True, slots=True)
class Quantize(Op):
    """Real to integer: saturate(round_half_even(x / scale) + zero_point); parameters are those of the output's type.

    `result_types` cannot know them: the op carries the whole output quantisation and dtype.
    """

    mnemonic: ClassVar[str] = "quantize"
    dtype: DType
    quant: Quant

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        if not data.dtype.is_float:
            raise ShapeError(f"input has elements of type {data.dtype.value}, but only reals can be quantised")
        _check_axis_length(data.shape, self.quant)
        return (TensorType(data.shape, self.dtype, self.quant),)


@dataclass(frozen=True, slots=True)
class Dequantize(Op):
    """Integer to real: (x - zero_point) * scale; parameters are those of the operand's type."""

    mnemonic: ClassVar[str] = "dequantize"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        if data.quant is None:
            raise ShapeError("input is not quantised")
        _check_axis_length(data.shape, data.quant)
        return (TensorType(data.shape, DType.F32),)


@dataclass(frozen=True, slots=True)
class Table(Op):
    """Table look-up: input i8 or ui8, constant table of 256 entries indexed by (x - lowest of its type) -> table's
    dtype.

    Any unary function of an 8-bit tensor, a change of quantisation among them. `quant` is that of the output.
    """

    mnemonic: ClassVar[str] = "table"
    quant: Quant | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "table"))
        data, table = operands
        if data.dtype not in EIGHT_BITS:
            raise ShapeError(f"input has elements of type {data.dtype.value}, but only i8 or ui8 can index a table")
        if table.shape != (256,):
            raise ShapeError(f"table has shape {list(table.shape)}, but must have 256 entries")
        return (TensorType(data.shape, table.dtype, self.quant),)


def _broadcast_numbers(operands: Operands) -> tuple[TensorType, ...]:
    check_count(operands, ("a", "b"))
    a, b = operands
    check_number("a", a)
    check_alike("a", a, "b", b)
    return (TensorType(broadcast(a.shape, b.shape), a.dtype),)


def _check_axis_length(shape: Shape, quant: Quant) -> None:
    scales = len(quant.scales)
    if quant.axis is not None and shape[quant.axis : quant.axis + 1] != (scales,):
        raise ShapeError(f"there are {scales} scales for axis {quant.axis} of the input of shape {list(shape)}")
