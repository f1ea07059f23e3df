# SPDX-License-Identifier: Apache-2.0
"""Functions of one number, applied to each element: what they share, and those that are no usual activation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op
from stowage.ir.ops.operands import Operands, check_number, check_real, sole
from stowage.ir.tensor_type import TensorType


class NumberFunction(Op):
    """A function of one number that keeps the element type; over 8-bit integers it can be a table."""

    __slots__ = ()

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_number("input", data)
        return (TensorType(data.shape, data.dtype),)


class RealFunction(NumberFunction):
    """A function of one real number."""

    __slots__ = ()

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_real("input", sole(operands))
        return NumberFunction.result_types(self, operands)


@dataclass(frozen=True, slots=True)
class Neg(NumberFunction):
    """-x; integers wrap around."""

    mnemonic: ClassVar[str] = "neg"


@dataclass(frozen=True, slots=True)
class Abs(NumberFunction):
    """|x|; integers wrap around."""

    mnemonic: ClassVar[str] = "abs"


@dataclass(frozen=True, slots=True)
class Sign(NumberFunction):
    """-1, 0 or 1."""

    mnemonic: ClassVar[str] = "sign"


@dataclass(frozen=True, slots=True)
class Exp(RealFunction):
    """e^x."""

    mnemonic: ClassVar[str] = "exp"


@dataclass(frozen=True, slots=True)
class Log(RealFunction):
    """Natural logarithm; -infinity at 0, a NaN below."""

    mnemonic: ClassVar[str] = "log"


@dataclass(frozen=True, slots=True)
class Sqrt(RealFunction):
    """Square root; a NaN below 0."""

    mnemonic: ClassVar[str] = "sqrt"


@dataclass(frozen=True, slots=True)
class Reciprocal(RealFunction):
    """1 / x."""

    mnemonic: ClassVar[str] = "reciprocal"


@dataclass(frozen=True, slots=True)
class Floor(RealFunction):
    """The nearest whole number below."""

    mnemonic: ClassVar[str] = "floor"


@dataclass(frozen=True, slots=True)
class Ceil(RealFunction):
    """The nearest whole number above."""

    mnemonic: ClassVar[str] = "ceil"


@dataclass(frozen=True, slots=True)
class Round(RealFunction):
    """The nearest whole number, halves to even."""

    mnemonic: ClassVar[str] = "round"


@dataclass(frozen=True, slots=True)
class Erf(RealFunction):
    """The error function."""

    mnemonic: ClassVar[str] = "erf"


@dataclass(frozen=True, slots=True)
class Sin(RealFunction):
    """Sine of radians."""

    mnemonic: ClassVar[str] = "sin"


@dataclass(frozen=True, slots=True)
class Cos(RealFunction):
    """Cosine of radians."""

    mnemonic: ClassVar[str] = "cos"


@dataclass(frozen=True, slots=True)
class Elu(RealFunction):
    """scale * x above 0, else scale * alpha * (e^x - 1). Selu is this with two constants."""

    mnemonic: ClassVar[str] = "elu"
    alpha: float = 1.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Celu(RealFunction):
    """x above 0, else alpha * (e^(x / alpha) - 1), for alpha > 0."""

    mnemonic: ClassVar[str] = "celu"
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Softplus(RealFunction):
    """log(1 + e^x)."""

    mnemonic: ClassVar[str] = "softplus"


@dataclass(frozen=True, slots=True)
class Softsign(RealFunction):
    """x / (1 + |x|)."""

    mnemonic: ClassVar[str] = "softsign"


@dataclass(frozen=True, slots=True)
class ThresholdedRelu(RealFunction):
    """x above alpha, else 0."""

    mnemonic: ClassVar[str] = "thresholded_relu"
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Shrink(RealFunction):
    """x + bias below -threshold, x - bias above threshold, else 0."""

    mnemonic: ClassVar[str] = "shrink"
    bias: float = 0.0
    threshold: float = 0.5


@dataclass(frozen=True, slots=True)
class Gelu(RealFunction):
    """x / 2 * (1 + erf(x / sqrt 2))."""

    mnemonic: ClassVar[str] = "gelu"


@dataclass(frozen=True, slots=True)
class GeluTanh(RealFunction):
    """x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))."""

    mnemonic: ClassVar[str] = "gelu_tanh"


@dataclass(frozen=True, slots=True)
class Mish(RealFunction):
    """x * tanh(log(1 + e^x))."""

    mnemonic: ClassVar[str] = "mish"


@dataclass(frozen=True, slots=True)
class Swish(RealFunction):
    """x / (1 + e^(-alpha x))."""

    mnemonic: ClassVar[str] = "swish"
    alpha: float = 1.0
