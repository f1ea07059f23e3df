# SPDX-License-Identifier: Apache-2.0
"""Functions of one or two real numbers in float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stowage.ir.ops import angle, combination, function
from stowage.ir.ops.op import Op
from stowage.ir.reference.operand import Reals

RealFunction = Callable[[Any, Sequence[Reals]], Reals]

_erf: Any = np.vectorize(math.erf, otypes=[np.float64])


def _elu(op: function.Elu, operands: Sequence[Reals]) -> Reals:
    return op.scale * np.where(operands[0] > 0, operands[0], op.alpha * np.expm1(np.minimum(operands[0], 0.0)))


def _celu(op: function.Celu, operands: Sequence[Reals]) -> Reals:
    negative = op.alpha * np.expm1(np.minimum(operands[0], 0.0) / op.alpha)
    return np.where(operands[0] > 0, operands[0], negative)


def _shrink(op: function.Shrink, operands: Sequence[Reals]) -> Reals:
    x = operands[0]
    return np.where(x < -op.threshold, x + op.bias, np.where(x > op.threshold, x - op.bias, 0.0))


def _softplus(x: Reals) -> Reals:
    return np.asarray(np.logaddexp(0.0, x))


def _gelu_tanh(x: Reals) -> Reals:
    return 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))


def _mod(op: combination.Mod, operands: Sequence[Reals]) -> Reals:
    return np.asarray((np.fmod if op.truncated else np.mod)(operands[0], operands[1]))


def _of(compute: Callable[..., Any]) -> RealFunction:
    return lambda op, operands: np.asarray(compute(*operands))


FUNCTIONS: Mapping[type[Op], RealFunction] = {
    function.Neg: _of(np.negative),
    function.Abs: _of(np.abs),
    function.Sign: _of(np.sign),
    function.Exp: _of(np.exp),
    function.Log: _of(np.log),
    function.Sqrt: _of(np.sqrt),
    function.Reciprocal: _of(lambda x: 1.0 / x),
    function.Floor: _of(np.floor),
    function.Ceil: _of(np.ceil),
    function.Round: _of(np.rint),
    function.Erf: _of(_erf),
    function.Sin: _of(np.sin),
    function.Cos: _of(np.cos),
    angle.Tan: _of(np.tan),
    angle.Asin: _of(np.arcsin),
    angle.Acos: _of(np.arccos),
    angle.Atan: _of(np.arctan),
    angle.Sinh: _of(np.sinh),
    angle.Cosh: _of(np.cosh),
    angle.Asinh: _of(np.arcsinh),
    angle.Acosh: _of(np.arccosh),
    angle.Atanh: _of(np.arctanh),
    function.Elu: _elu,
    function.Celu: _celu,
    function.Softplus: _of(_softplus),
    function.Softsign: _of(lambda x: x / (1.0 + np.abs(x))),
    function.ThresholdedRelu: lambda op, operands: np.where(operands[0] > op.alpha, operands[0], 0.0),
    function.Shrink: _shrink,
    function.Gelu: _of(lambda x: 0.5 * x * (1.0 + _erf(x / math.sqrt(2.0)))),
    function.GeluTanh: _of(_gelu_tanh),
    function.Mish: _of(lambda x: x * np.tanh(_softplus(x))),
    function.Swish: lambda op, operands: operands[0] / (1.0 + np.exp(-op.alpha * operands[0])),
    combination.Pow: _of(np.power),
    combination.Min: _of(np.minimum),
    combination.Max: _of(np.maximum),
    combination.Mod: _mod,
    combination.PRelu: _of(lambda a, b: np.where(a >= 0, a, a * b)),
}
"""By operator: the function of its record and its operands."""
