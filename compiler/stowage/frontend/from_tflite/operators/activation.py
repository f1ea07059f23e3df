# SPDX-License-Identifier: Apache-2.0
"""Functions of each element, and SOFTMAX."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from stowage.frontend.from_tflite.fused_activation import clamp_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.read_as import reinterpreted
from stowage.frontend.from_tflite.scales import check_centred, check_scales
from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Value
from stowage.ir.ops.elementwise import Clip, LeakyRelu, Mul, Table
from stowage.ir.ops.function import Gelu, GeluTanh
from stowage.ir.ops.op import Op
from stowage.ir.ops.operands import EIGHT_BITS
from stowage.ir.ops.reduction import Softmax
from stowage.ir.tensor_type import Quant, TensorType
from stowage.ir.tflite.tabulated import function_table

_LARGEST_SLOPE = 64.0
_WORDS = Quant((2.0**-15,), (0,))
"""How 16-bit results between -1 and 1 are quantised."""
Translator = Callable[[OperatorSite], list[Value]]


def _scaled(site: OperatorSite) -> Value:
    data = site.input(0)
    check_scales(site, data)
    return data


def unary(op: Op) -> Translator:
    """The translator to a function of one number."""
    return lambda site: [site.add_as(op, (_scaled(site),), like=site.declared())]


def tabulated(op: Op, table: Callable[[TensorType, TensorType], Array]) -> Translator:
    """The translator to a function of a real number, or of an 8-bit one by the `table` that TFLite makes of it."""

    def translate(site: OperatorSite) -> list[Value]:
        data, result = site.input(0), site.declared()
        if data.type.quant is None and result.quant is None:
            return [site.add(op, (data,))]
        if data.type.dtype not in EIGHT_BITS or result.dtype is not data.type.dtype or result.quant is None:
            site.refuse(f"it makes {result.dtype.value} of {data.type.dtype.value}", "use float32 or int8")
        check_scales(site, data)
        return [site.add(Table(result.quant), (data, site.known(table(data.type, result), "table")))]

    return translate


def by_function(op: Op) -> Translator:
    """The translator to one of the functions that TFLite tabulates in single precision."""
    return tabulated(op, partial(function_table, op.mnemonic))


def gelu(site: OperatorSite) -> list[Value]:
    """By the error function, or by tanh where it may be approximate."""
    return by_function(GeluTanh() if site.option("Approximate", False) else Gelu())(site)


def _check_words(site: OperatorSite) -> None:
    """Refuses what is no function from 16-bit integers to such, all without zero points."""
    data = site.input(0)
    if data.type.dtype is not DType.I16:
        site.invalid(f"its input is {data.type.dtype.value}, but its result i16")
    check_centred(site, data)


def prescribed(op: Op, scale: float, zero_point: int) -> Translator:
    """The translator to a function whose 8-bit result TFLite wants in given steps, a 16-bit one in those of 2**-15."""

    def translate(site: OperatorSite) -> list[Value]:
        result = site.declared()
        wanted = _WORDS if result.dtype is DType.I16 else Quant((scale,), (zero_point,))
        if result.dtype is DType.U8:
            wanted = Quant((scale,), (zero_point + 128,))
        if result.quant is not None and result.quant != wanted:
            named = f"{wanted.scale:g} and {wanted.zero_point}"
            site.refuse(f"its result is quantised otherwise than by {named}", "quantise it so")
        if result.dtype not in (DType.F32, DType.I8, DType.U8, DType.I16):
            site.refuse(f"its result is {result.dtype.value}", "use float32, int8, uint8 or int16")
        if result.dtype is DType.I16:
            _check_words(site)
        return [site.add_as(op, (site.input(0),), like=result)]

    return translate


def clip(lowest: float, highest: float = math.inf) -> Translator:
    """The translator to a clamp."""

    def translate(site: OperatorSite) -> list[Value]:
        result = site.declared()
        if result.dtype is DType.I16:
            check_centred(site, site.input(0))
        return [site.add_as(Clip(*clamp_of((lowest, highest), result)), (_scaled(site),), like=result)]

    return translate


def leaky_relu(site: OperatorSite) -> list[Value]:
    """x, or alpha * x where x is negative."""
    alpha = site.real_option("Alpha")
    if not abs(alpha) < _LARGEST_SLOPE:
        site.invalid(f"its alpha is {alpha:g}")
    return [site.add_as(LeakyRelu(alpha), (_scaled(site),), like=site.declared())]


def softmax(site: OperatorSite) -> list[Value]:
    """exp(beta * x) over its sum, along the last axis."""
    data, beta = site.input(0), site.real_option("Beta", 1.0)
    if not data.type.shape:
        site.invalid("its input has no axes")
    if not 0 < beta < _LARGEST_SLOPE:
        site.invalid(f"its beta is {beta:g}")
    if site.declared().dtype is DType.I16:
        _check_words(site)
        if site.declared().quant != _WORDS:
            site.refuse("its 16-bit result is quantised otherwise than by 2**-15 and 0", "quantise it so")
    scaled = data if beta == 1.0 else _times(site, data, beta)
    return [site.add_as(Softmax(len(data.type.shape) - 1), (scaled,), like=site.declared())]


def _times(site: OperatorSite, data: Value, factor: float) -> Value:
    """The input times a factor; integers stay, and stand for other reals."""
    if data.type.quant is None:
        return site.add(Mul(), (data, site.known(np.array(factor, np.float32), "beta")), "scaled")
    return reinterpreted(site, data, replace(data.type.quant, scales=(data.type.quant.scale * factor,)), "scaled")
