# SPDX-License-Identifier: Apache-2.0
"""Operators that treat each element by itself; two operands broadcast as in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import Quant

Clamp = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Add(Op):
    """a + b, then clamped if `clamp`."""

    mnemonic: ClassVar[str] = "add"
    clamp: Clamp | None = None


@dataclass(frozen=True, slots=True)
class Sub(Op):
    """a - b, then clamped if `clamp`."""

    mnemonic: ClassVar[str] = "sub"
    clamp: Clamp | None = None


@dataclass(frozen=True, slots=True)
class Mul(Op):
    """a * b, then clamped if `clamp`."""

    mnemonic: ClassVar[str] = "mul"
    clamp: Clamp | None = None


@dataclass(frozen=True, slots=True)
class Div(Op):
    """a / b, then clamped if `clamp`; integers divide towards zero."""

    mnemonic: ClassVar[str] = "div"
    clamp: Clamp | None = None


@dataclass(frozen=True, slots=True)
class Relu(Op):
    """max(x, 0)."""

    mnemonic: ClassVar[str] = "relu"


@dataclass(frozen=True, slots=True)
class Clip(Op):
    """min(max(x, lowest), highest); an absent bound is an infinity."""

    mnemonic: ClassVar[str] = "clip"
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class LeakyRelu(Op):
    """x where x >= 0, else alpha * x."""

    mnemonic: ClassVar[str] = "leaky_relu"
    alpha: float = 0.01


@dataclass(frozen=True, slots=True)
class HardSigmoid(Op):
    """max(0, min(1, alpha * x + beta))."""

    mnemonic: ClassVar[str] = "hard_sigmoid"
    alpha: float = 0.2
    beta: float = 0.5


@dataclass(frozen=True, slots=True)
class HardSwish(Op):
    """x * max(0, min(1, x / 6 + 0.5))."""

    mnemonic: ClassVar[str] = "hard_swish"


@dataclass(frozen=True, slots=True)
class Sigmoid(Op):
    """1 / (1 + exp(-x))."""

    mnemonic: ClassVar[str] = "sigmoid"


@dataclass(frozen=True, slots=True)
class Tanh(Op):
    """Hyperbolic tangent."""

    mnemonic: ClassVar[str] = "tanh"


@dataclass(frozen=True, slots=True)
class Cast(Op):
    """The same number in another element type, as ONNX Cast defines it."""

    mnemonic: ClassVar[str] = "cast"
    to: DType


@dataclass(frozen=True, slots=True)
class Quantize(Op):
    """Real to integer: saturate(round_half_even(x / scale) + zero_point); parameters are those of the output's type.

    `result_types` cannot know them: the op carries the whole output quantisation and dtype.
    """

    mnemonic: ClassVar[str] = "quantize"
    dtype: DType
    quant: Quant


@dataclass(frozen=True, slots=True)
class Dequantize(Op):
    """Integer to real: (x - zero_point) * scale; parameters are those of the operand's type."""

    mnemonic: ClassVar[str] = "dequantize"


@dataclass(frozen=True, slots=True)
class Table(Op):
    """Table look-up: input i8 or ui8, constant table of 256 entries indexed by (x - lowest of its type) -> table's dtype.

    Any unary function of an 8-bit tensor, a change of quantisation among them. `quant` is that of the output.
    """

    mnemonic: ClassVar[str] = "table"
    quant: Quant | None = None
