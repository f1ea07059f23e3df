# SPDX-License-Identifier: Apache-2.0
"""Functions of angles, hyperbolic functions, and their inverses, beside sine, cosine and the hyperbolic tangent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.function import RealFunction


@dataclass(frozen=True, slots=True)
class Tan(RealFunction):
    """Tangent of radians."""

    mnemonic: ClassVar[str] = "tan"


@dataclass(frozen=True, slots=True)
class Asin(RealFunction):
    """Radians, in [-pi/2, pi/2], whose sine is x; a NaN outside [-1, 1]."""

    mnemonic: ClassVar[str] = "asin"


@dataclass(frozen=True, slots=True)
class Acos(RealFunction):
    """Radians, in [0, pi], whose cosine is x; a NaN outside [-1, 1]."""

    mnemonic: ClassVar[str] = "acos"


@dataclass(frozen=True, slots=True)
class Atan(RealFunction):
    """Radians, in [-pi/2, pi/2], whose tangent is x."""

    mnemonic: ClassVar[str] = "atan"


@dataclass(frozen=True, slots=True)
class Sinh(RealFunction):
    """Hyperbolic sine."""

    mnemonic: ClassVar[str] = "sinh"


@dataclass(frozen=True, slots=True)
class Cosh(RealFunction):
    """Hyperbolic cosine."""

    mnemonic: ClassVar[str] = "cosh"


@dataclass(frozen=True, slots=True)
class Asinh(RealFunction):
    """Inverse of the hyperbolic sine."""

    mnemonic: ClassVar[str] = "asinh"


@dataclass(frozen=True, slots=True)
class Acosh(RealFunction):
    """Inverse of the hyperbolic cosine, not negative; a NaN below 1."""

    mnemonic: ClassVar[str] = "acosh"


@dataclass(frozen=True, slots=True)
class Atanh(RealFunction):
    """Inverse of the hyperbolic tangent; infinite at -1 and 1, a NaN beyond."""

    mnemonic: ClassVar[str] = "atanh"


ANGLES: tuple[type[RealFunction], ...] = (Tan, Asin, Acos, Atan, Sinh, Cosh, Asinh, Acosh, Atanh)
"""All of them."""
