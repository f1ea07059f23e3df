# SPDX-License-Identifier: Apache-2.0
"""Combinations of tensors element by element: powers, extremes, comparisons, connectives, bits, selection."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.frontend.from_onnx.node_site import Importer, Importers, NodeSite, Results
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.bits import BitCast, ShiftLeft, ShiftRight
from stowage.ir.ops.combination import And, Equal, Less, LessOrEqual, Max, Min, Mod, Or, Pow, PRelu, Where, Xor
from stowage.ir.ops.elementwise import Add, Cast, Mul
from stowage.ir.ops.function import Floor, Reciprocal, Sqrt
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.op import Op


def _numbers(op: Op, *, swapped: bool = False) -> Importer:
    def translate(site: NodeSite) -> Results:
        operands = [site.number(0), site.number(1)]
        return (site.add(op, *(operands[::-1] if swapped else operands)),)

    return translate


def _truths(op: Op) -> Importer:
    return lambda site: (site.add(op, site.operand(0), site.operand(1)),)


def _chain(op: Op) -> Importer:
    """One operator after the other over all operands."""
    return lambda site: (_chained(site, op),)


def _chained(site: NodeSite, op: Op) -> Value:
    result = site.number(0)
    for index in range(1, len(site.proto.input)):
        result = site.add(op, result, site.number(index), role="" if index == 1 else f"with{index}")
    return result


def _mean(site: NodeSite) -> Results:
    share = np.array(1.0 / len(site.proto.input), site.type(0).dtype.numpy)
    return (site.add(Mul(), _chained(site, Add()), site.builder.constant(f"{site.output_name}.share", share)),)


def _pow(site: NodeSite) -> Results:
    """Powers that one multiplication or root gives are that; the exponent may have another type than the base."""
    base = site.number(0)
    if not base.type.dtype.is_float:
        return (_pow_of_integers(site, base, site.number(1)),)
    exponent = site.tensors.known(site.proto.input[1]) if site.has(1) else None
    simple = float(exponent.item()) if exponent is not None and exponent.size == 1 else 0.0
    rank = 0 if exponent is None else exponent.ndim
    if rank > len(base.type.shape) or simple not in (0.5, 1.0, 2.0, 3.0, -1.0):
        return (site.add(Pow(), base, _cast(site, site.number(1), base)),)
    if simple < 1.0:
        return (site.add(Sqrt() if simple > 0 else Reciprocal(), base),)
    result = base
    for step in range(int(simple) - 1):
        result = site.add(Mul(), result, base, role="" if step == 0 else "cubed")
    return (result,)


def _pow_of_integers(site: NodeSite, base: Value, exponent: Value) -> Value:
    """Exact where the exponent is whole; else the power of floats, truncated."""
    exact = site.add(Pow(), base, _cast(site, exponent, base), role="exact")
    if not exponent.type.dtype.is_float:
        return exact
    whole = site.add(Equal(), exponent, site.add(Floor(), exponent, role="floor"), role="whole")
    power = site.add(Pow(), site.add(Cast(exponent.type.dtype), base, role="real_base"), exponent, role="real")
    return site.add(Where(), whole, exact, site.add(Cast(base.type.dtype), power, role="truncated"))


def _cast(site: NodeSite, value: Value, like: Value) -> Value:
    dtype = like.type.dtype
    return value if value.type.dtype is dtype else site.add(Cast(dtype), value, role="exponent")


def _bit_shift(site: NodeSite) -> Results:
    left = site.text("direction", "", ("LEFT", "RIGHT")) == "LEFT"
    return _numbers(ShiftLeft() if left else ShiftRight())(site)


def _bit_cast(site: NodeSite) -> Results:
    """Of bool all bytes but 0 and 1 are true."""
    value, to = site.number(0), dtype_of(site.integer("to", 0), site.where)
    if value.type.dtype is to:
        return (value,)
    if to is DType.BOOL and value.type.dtype.size_bytes == 1:
        return (site.add(Cast(to), value),)
    return (site.add(BitCast(to), value),)


def _mod(site: NodeSite) -> Results:
    return _numbers(Mod(truncated=site.flag("fmod")))(site)


def _prelu(site: NodeSite) -> Results:
    """The slope broadcasts to the input alone. Before operator set 9 [C] stood for one slope a channel."""
    value, slope = site.number(0), site.number(1)
    shape, rank = slope.type.shape, len(value.type.shape)
    if site.opset < 9 and len(shape) == 1 and shape[0] > 1 and rank > 1:
        slope = site.moved(Reshape((*shape, *(1,) * (rank - 2))), slope, "slope")
    return (site.add(PRelu(), value, slope),)


def _where(site: NodeSite) -> Results:
    return (site.add(Where(), site.operand(0), site.number(1), site.number(2)),)


IMPORTERS: Importers = {
    "Pow": _pow,
    "Min": _chain(Min()),
    "Max": _chain(Max()),
    "Sum": _chain(Add()),
    "Mean": _mean,
    "Mod": _mod,
    "PRelu": _prelu,
    "Equal": _numbers(Equal()),
    "Less": _numbers(Less()),
    "Greater": _numbers(Less(), swapped=True),
    "LessOrEqual": _numbers(LessOrEqual()),
    "GreaterOrEqual": _numbers(LessOrEqual(), swapped=True),
    "And": _truths(And()),
    "Or": _truths(Or()),
    "Xor": _truths(Xor()),
    "Where": _where,
    "BitwiseAnd": _numbers(And()),
    "BitwiseOr": _numbers(Or()),
    "BitwiseXor": _numbers(Xor()),
    "BitShift": _bit_shift,
    "BitCast": _bit_cast,
}
