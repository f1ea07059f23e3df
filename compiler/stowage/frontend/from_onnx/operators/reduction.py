# SPDX-License-Identifier: Apache-2.0
"""Reductions, Softmax, ArgMax and their kin: operators along axes."""

from __future__ import annotations

import math

import numpy as np

from stowage.frontend.from_onnx.axes import axes_operand
from stowage.frontend.from_onnx.node_site import Importer, Importers, NodeSite, Results
from stowage.ir.dtype import DType
from stowage.ir.ops.combination import Equal, Max
from stowage.ir.ops.elementwise import Cast, Div, Sub
from stowage.ir.ops.function import Neg
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import (
    ArgMax,
    CumProd,
    CumSum,
    Cumulation,
    ReduceL1,
    ReduceL2,
    ReduceLogSum,
    ReduceLogSumExp,
    ReduceMax,
    ReduceMean,
    ReduceMin,
    ReduceProd,
    ReduceSum,
    ReduceSumSquare,
    Reduction,
    Softmax,
)
from stowage.ir.ops.truth import Not


def _axes(site: NodeSite, operand_since: int) -> tuple[int, ...]:
    """None means all, or none if so asked."""
    rank = len(site.type(0).shape)
    axes = axes_operand(site, rank, operand_since=operand_since)
    if axes:
        return axes
    return () if site.flag("noop_with_empty_axes") else tuple(range(rank))


def _reduce_mean(site: NodeSite) -> Results:
    """The mean of integers is their sum, divided towards zero."""
    axes, keepdims, type = _axes(site, 18), site.flag("keepdims", True), site.type(0)
    if not axes:
        return (site.operand(0),)
    if type.dtype.is_float:
        return (site.add(ReduceMean(axes, keepdims), site.real(0)),)
    total = site.add(ReduceSum(axes, keepdims), site.number(0), role="sum")
    count = np.array(math.prod(type.shape[axis] for axis in axes), type.dtype.numpy)
    return (site.add(Div(), total, site.builder.constant(f"{site.output_name}.count", count)),)


def _reduce(record: type[Reduction], *, operand_since: int = 18) -> Importer:
    def translate(site: NodeSite) -> Results:
        op = record(_axes(site, operand_since), site.flag("keepdims", True))
        if not op.axes and not op.changes_single_elements:
            return (site.operand(0),)
        value = site.number(0)
        if op.makes_reals and not value.type.dtype.is_float:
            reals = site.add(op, site.add(Cast(DType.F32), value, role="reals"), role="real")
            return (site.add(Cast(value.type.dtype), reals),)
        return (site.add(op, value),)

    return translate


def _log_softmax(site: NodeSite) -> Results:
    """x less the logarithm of the sum of all e^x."""
    value, shape = site.real(0), site.type(0).shape
    axis = site.axis(site.integer("axis", 1 if site.opset < 13 else -1), len(shape))
    axes = (axis,) if site.opset >= 13 else tuple(range(axis, len(shape)))
    return (site.add(Sub(), value, site.add(ReduceLogSumExp(axes), value, role="log_sum_exp")),)


def _lp_normalization(site: NodeSite) -> Results:
    """x / norm; where the norm is 0, x is 0 and so is the result."""
    axis = site.axis(site.integer("axis", -1), len(site.type(0).shape))
    if site.integer("p", 2) not in (1, 2):
        raise site.invalid(f"attribute p is {site.integer('p', 2)}, but must be 1 or 2")
    record = ReduceL1 if site.integer("p", 2) == 1 else ReduceL2
    norm = site.add(record((axis,)), site.real(0), role="norm")
    smallest = np.array(np.finfo(norm.type.dtype.numpy.name).tiny, norm.type.dtype.numpy)
    positive = site.add(Max(), norm, site.builder.constant(f"{site.output_name}.smallest", smallest), role="positive")
    return (site.add(Div(), site.real(0), positive),)


def _cumulate(record: type[Cumulation]) -> Importer:
    def translate(site: NodeSite) -> Results:
        axis = site.known(1, "the axis")
        if axis.size != 1:
            raise site.invalid("the axis must be one number")
        op = record(site.axis(int(axis.item()), len(site.type(0).shape)), site.flag("exclusive"), site.flag("reverse"))
        return (site.add(op, site.number(0)),)

    return translate


def _hardmax(site: NodeSite) -> Results:
    """1 at the first of the largest elements, else 0. Before operator set 13 of all axes from `axis` on together."""
    value, shape = site.number(0), site.type(0).shape
    axis = site.axis(site.integer("axis", 1 if site.opset < 13 else -1), len(shape))
    rows = shape if site.opset >= 13 else (math.prod(shape[:axis]), math.prod(shape[axis:]))
    axis = axis if site.opset >= 13 else 1
    data = value if rows == shape else site.add(Reshape(rows), value, role="rows")
    place = site.add(ArgMax(axis), data, role="place")
    along = np.arange(rows[axis]).reshape([-1 if k == axis else 1 for k in range(len(rows))])
    here = site.add(Equal(), place, site.builder.constant(f"{site.output_name}.places", along), role="here")
    ones = site.add(Cast(value.type.dtype), here, role="ones")
    return (ones if rows == shape else site.add(Reshape(shape), ones, role="unflattened"),)


def _softmax(site: NodeSite) -> Results:
    """Before operator set 13 it normalises over all axes from `axis` on together."""
    value, shape = site.real(0), site.type(0).shape
    axis = site.axis(site.integer("axis", 1 if site.opset < 13 else -1), len(shape))
    if site.opset >= 13 or math.prod(shape[axis + 1 :]) == 1:
        return (site.add(Softmax(axis), value),)
    rows = site.add(Reshape((math.prod(shape[:axis]), math.prod(shape[axis:]))), value, role="rows")
    return (site.add(Reshape(shape), site.add(Softmax(1), rows), role="unflattened"),)


def _arg_max(site: NodeSite) -> Results:
    """The largest integer is also the largest real that one stands for, unless each channel has a scale of its own."""
    axis = site.axis(site.integer("axis", 0), len(site.type(0).shape))
    quant = site.operand(0).type.quant
    value = site.operand(0) if quant is None or quant.axis is None else site.number(0)
    return (site.add(ArgMax(axis, site.flag("keepdims", True), site.flag("select_last_index")), value),)


def _arg_min(site: NodeSite) -> Results:
    """The smallest of floats is the largest of their opposites, that of integers the largest of their complements."""
    axis = site.axis(site.integer("axis", 0), len(site.type(0).shape))
    op = ArgMax(axis, site.flag("keepdims", True), site.flag("select_last_index"))
    opposite: Op = Neg() if site.type(0).dtype.is_float else Not()
    return (site.add(op, site.add(opposite, site.number(0), role="opposite")),)


IMPORTERS: Importers = {
    "ReduceMean": _reduce_mean,
    "ReduceSum": _reduce(ReduceSum, operand_since=13),
    "ReduceMax": _reduce(ReduceMax),
    "ReduceMin": _reduce(ReduceMin),
    "ReduceProd": _reduce(ReduceProd),
    "ReduceL1": _reduce(ReduceL1),
    "ReduceL2": _reduce(ReduceL2),
    "ReduceSumSquare": _reduce(ReduceSumSquare),
    "ReduceLogSum": _reduce(ReduceLogSum),
    "ReduceLogSumExp": _reduce(ReduceLogSumExp),
    "Softmax": _softmax,
    "Hardmax": _hardmax,
    "LogSoftmax": _log_softmax,
    "LpNormalization": _lp_normalization,
    "CumSum": _cumulate(CumSum),
    "CumProd": _cumulate(CumProd),
    "ArgMax": _arg_max,
    "ArgMin": _arg_min,
}
