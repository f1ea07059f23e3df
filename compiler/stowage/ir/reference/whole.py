# SPDX-License-Identifier: Apache-2.0
"""What the operators compute over plain integers, which stand for themselves: results wrap around as NumPy's do."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stowage.ir.ops import combination, elementwise, function, linear
from stowage.ir.ops.op import Op
from stowage.ir.reference.reductions import REDUCTIONS

Whole = NDArray[Any]
WholeFunction = Callable[[Any, Sequence[Whole]], Whole]


def _divide(op: elementwise.Div, operands: Sequence[Whole]) -> Whole:
    """Towards zero; division by zero gives zero."""
    dividend, divisor = operands
    with np.errstate(divide="ignore", over="ignore"):
        floored = dividend // divisor
        inexact = (floored * divisor != dividend) & ((dividend < 0) != (divisor < 0))
        return np.where(divisor == 0, 0, floored + inexact).astype(dividend.dtype)


def _modulo(op: combination.Mod, operands: Sequence[Whole]) -> Whole:
    """By zero it gives zero."""
    with np.errstate(divide="ignore"):
        return np.asarray((np.fmod if op.truncated else np.mod)(*operands))


def _power(op: combination.Pow, operands: Sequence[Whole]) -> Whole:
    """A negative exponent gives 1 / x^n towards zero: only 1 and -1 leave something."""
    base, exponent = operands
    positive = np.power(base, np.maximum(exponent, 0))
    if base.dtype.kind == "u":
        return np.asarray(positive)
    inverse = np.where(np.abs(base) == 1, np.power(base, exponent & 1), 0)
    return np.where(exponent < 0, inverse, positive).astype(base.dtype)


def clamp_whole(values: Whole, lowest: float, highest: float) -> Whole:
    """Integers within real bounds, infinities among them."""
    limits = np.iinfo(values.dtype)
    least = limits.min if lowest <= limits.min else math.ceil(lowest)
    most = limits.max if highest >= limits.max else math.floor(highest)
    return np.minimum(np.maximum(values, least), most)


WHOLE: Mapping[type[Op], WholeFunction] = {
    elementwise.Add: lambda op, operands: operands[0] + operands[1],
    elementwise.Sub: lambda op, operands: operands[0] - operands[1],
    elementwise.Mul: lambda op, operands: operands[0] * operands[1],
    elementwise.Div: _divide,
    elementwise.Relu: lambda op, operands: np.maximum(operands[0], 0),
    elementwise.Clip: lambda op, operands: clamp_whole(operands[0], op.lowest, op.highest),
    function.Neg: lambda op, operands: np.negative(operands[0]),
    function.Abs: lambda op, operands: np.abs(operands[0]),
    function.Sign: lambda op, operands: np.sign(operands[0]),
    combination.Min: lambda op, operands: np.minimum(operands[0], operands[1]),
    combination.Max: lambda op, operands: np.maximum(operands[0], operands[1]),
    combination.Mod: _modulo,
    combination.Pow: _power,
    combination.PRelu: lambda op, operands: np.where(operands[0] >= 0, operands[0], operands[0] * operands[1]),
    **REDUCTIONS,
    linear.MatMul: lambda op, operands: np.matmul(operands[0], operands[1]),
}
"""By operator: the function of its record and its operands, without the fused clamp."""


def compute_whole(op: Op, operands: Sequence[Whole]) -> Whole:
    """The integer result of an operator, its fused clamp applied."""
    with np.errstate(over="ignore"):
        result = np.asarray(WHOLE[type(op)](op, operands))
    clamp = getattr(op, "clamp", None)
    return result if clamp is None else clamp_whole(result, *clamp)
