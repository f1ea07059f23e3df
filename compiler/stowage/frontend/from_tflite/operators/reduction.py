# SPDX-License-Identifier: Apache-2.0
"""MEAN, SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN and ARG_MAX."""

from __future__ import annotations

from collections.abc import Callable

from stowage.frontend.from_tflite.axes import axes_of, axis_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.quantised_alike import check_alike
from stowage.frontend.from_tflite.read_as import as_integers, read_as
from stowage.frontend.from_tflite.scales import check_scales
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Cast
from stowage.ir.ops.reduction import ArgMax, ReduceMax, ReduceMean, ReduceMin, Reduction

Translator = Callable[[OperatorSite], list[Value]]


def mean(site: OperatorSite) -> list[Value]:
    """Over the axes of operand 1."""
    data = site.input(0)
    check_scales(site, data)
    return [site.add_as(ReduceMean(_axes(site, data), _keepdims(site)), (data,), like=site.declared())]


def reduction(kind: type[Reduction]) -> Translator:
    """The translator to a reduction of that kind; of quantised tensors only the extremes."""

    def translate(site: OperatorSite) -> list[Value]:
        data = site.input(0)
        op = kind(_axes(site, data), _keepdims(site))
        if data.type.quant is None:
            return [site.add(op, (data,))]
        if kind not in (ReduceMax, ReduceMin):
            site.refuse("it reduces a quantised tensor", "keep it in float32, or use MEAN")
        check_alike(site, data)
        return [read_as(site, site.add(op, (as_integers(site, data),), "integers"))]

    return translate


def arg_max(site: OperatorSite) -> list[Value]:
    """The index of the first largest element along the axis of operand 1."""
    data = site.input(0)
    axis = axis_of(site, site.integers(1, "axis")[0], len(data.type.shape))
    found = site.add(ArgMax(axis, keepdims=False), (data,), "index")
    wanted = site.declared().dtype
    return [found if found.type.dtype is wanted else site.add(Cast(wanted), (found,))]


def _axes(site: OperatorSite, data: Value) -> tuple[int, ...]:
    return axes_of(site, site.integers(1, "axes"), len(data.type.shape))


def _keepdims(site: OperatorSite) -> bool:
    return bool(site.option("KeepDims", False))
