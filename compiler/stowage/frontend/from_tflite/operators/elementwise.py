# SPDX-License-Identifier: Apache-2.0
"""Functions of one number and combinations of two: PRELU, POW, extremes, comparisons and more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.quantised_alike import check_alike
from stowage.frontend.from_tflite.read_as import as_integers, from_integers
from stowage.frontend.from_tflite.scales import check_scales
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Equal, Less, LessOrEqual, Max, Min, Mod, PRelu, Where
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub, Table
from stowage.ir.ops.function import Floor, Reciprocal, Sqrt
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.op import Op
from stowage.ir.ops.truth import Not
from stowage.ir.tflite.change_of_scale import rescaled
from stowage.ir.tflite.tabulated import every_centred

_COMPARED_BITS = 8
"""More than 8-bit operands have when they are compared."""
Translator = Callable[[OperatorSite], list[Value]]


def _real(site: OperatorSite, index: int) -> Value:
    """An operand that is not quantised."""
    value = site.input(index)
    if value.type.quant is not None:
        site.refuse("it computes with quantised integers", "keep it in float32")
    return value


def function(op: Op) -> Translator:
    """The translator to a function of one number that is not quantised."""
    return lambda site: [site.add(op, (_real(site, 0),))]


def combination(op: Op) -> Translator:
    """The translator to a combination of two numbers that are not quantised."""
    return lambda site: [site.add(op, (_real(site, 0), _real(site, 1)))]


def prelu(site: OperatorSite) -> list[Value]:
    """x, or x times its slope where it is negative; of reals or of int8."""
    operands, result = (site.input(0), site.input(1)), site.declared()
    kinds = {operand.type.dtype for operand in operands} | {result.dtype}
    if kinds == {DType.F32}:
        return [site.add(PRelu(), operands)]
    if kinds != {DType.I8} or any(operand.type.quant is None for operand in operands) or result.quant is None:
        site.refuse("its operands and result are not float32 or int8 throughout", "keep it in float32 or int8")
    check_scales(site, *operands)
    check_scales(site, operands[0])
    return [site.add_as(PRelu(), operands, like=result)]


def extreme(op: Max | Min) -> Translator:
    """The translator to the larger or the smaller of two numbers, whose integers compare as the numbers do."""

    def translate(site: OperatorSite) -> list[Value]:
        operands = site.inputs()
        if operands[0].type.quant is None:
            return [site.add(op, operands)]
        check_alike(site, *operands)
        return [from_integers(site, site.add(op, [as_integers(site, value) for value in operands], "integers"))]

    return translate


def rsqrt(site: OperatorSite) -> list[Value]:
    """1 / sqrt(x)."""
    return [site.add(Reciprocal(), (site.add(Sqrt(), (_real(site, 0),), "root"),))]


def square(site: OperatorSite) -> list[Value]:
    """x * x."""
    return [site.add(Mul(), (_real(site, 0),) * 2)]


def squared_difference(site: OperatorSite) -> list[Value]:
    """(a - b) squared."""
    difference = site.add(Sub(), (_real(site, 0), _real(site, 1)), "difference")
    return [site.add(Mul(), (difference, difference))]


def comparison(op: Equal | Less | LessOrEqual, *, negated: bool = False) -> Translator:
    """The translator to a comparison, or to the opposite of one."""

    def translate(site: OperatorSite) -> list[Value]:
        operands = _compared(site)
        if not negated:
            return [site.add(op, operands)]
        return [site.add(Not(), (site.add(op, operands, "opposite"),))]

    return translate


def _compared(site: OperatorSite) -> tuple[Value, Value]:
    """The operands as numbers that compare: 8-bit ones by their reals in 32 bits."""
    a, b = site.input(0), site.input(1)
    if a.type.quant is None or b.type.quant is None:
        return a, b
    if {a.type.dtype, b.type.dtype} != {DType.I8}:
        site.refuse(f"it compares quantised {a.type.dtype.value} and {b.type.dtype.value}", "use int8 for both")
    return _scaled_up(site, a, "first"), _scaled_up(site, b, "second")


def _scaled_up(site: OperatorSite, value: Value, role: str) -> Value:
    quant = value.type.quant
    assert quant is not None
    if quant.axis is not None or quant.scale >= 1:
        site.refuse("it compares integers of a scale of 1 or more", "keep it in float32")
    table = rescaled(every_centred(value.type) << _COMPARED_BITS, quant.scale).astype(np.int32)
    return site.add(Table(), (value, site.known(table, f"{role}_table")), role)


def select(site: OperatorSite) -> list[Value]:
    """Operand 1 where operand 0 is true, else operand 2, which are quantised as the result is."""
    check_alike(site, site.input(1), site.input(2))
    condition = site.input(0)
    rank = max(len(site.input(1).type.shape), len(site.input(2).type.shape))
    if site.record.kind == "SELECT" and len(condition.type.shape) == 1 and rank > 1:
        condition = site.moved(Reshape((*condition.type.shape, *(1,) * (rank - 1))), condition, "condition")
    return [site.add(Where(), (condition, site.input(1), site.input(2)))]


def add_n(site: OperatorSite) -> list[Value]:
    """The sum of all operands, from the first on."""
    total, *others = (_real(site, index) for index in range(site.input_count))
    for place, other in enumerate(others, 1):
        total = site.add(Add(), (total, other), "" if place == len(others) else f"sum_{place}")
    return [total]


def floor_div(site: OperatorSite) -> list[Value]:
    """The quotient rounded down."""
    a, b = _real(site, 0), _real(site, 1)
    if a.type.dtype is DType.F32:
        return [site.add(Floor(), (site.add(Div(), (a, b), "quotient"),))]
    whole = site.add(Sub(), (a, site.add(Mod(), (a, b), "rest")), "whole")
    return [site.add(Div(), (whole, b))]
