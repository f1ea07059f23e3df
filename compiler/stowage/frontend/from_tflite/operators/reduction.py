# SPDX-License-Identifier: Apache-2.0
"""MEAN, SUM and the other reductions."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from stowage.frontend.from_tflite.axes import axes_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.quantised_alike import check_alike
from stowage.frontend.from_tflite.read_as import as_integers, from_integers, read_as
from stowage.frontend.from_tflite.scales import check_centred, check_scales
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, Cast, Mul, Quantize, Table
from stowage.ir.ops.reduction import ReduceMax, ReduceMean, ReduceMin, ReduceSum, Reduction
from stowage.ir.tensor_type import Quant

Translator = Callable[[OperatorSite], list[Value]]


def mean(site: OperatorSite) -> list[Value]:
    """Over the axes of operand 1."""
    data, result = site.input(0), site.declared()
    check_scales(site, data)
    if result.dtype is DType.I16:
        check_centred(site, data)
    return [site.add_as(ReduceMean(_axes(site, data), _keepdims(site)), (data,), like=result)]


def total(site: OperatorSite) -> list[Value]:
    """SUM over the axes of operand 1; of quantised tensors, as in TFLite, the bare integers are summed, and the rest is
    done in single precision."""
    data, result = site.input(0), site.declared()
    op = ReduceSum(_axes(site, data), _keepdims(site))
    if data.type.quant is None or result.quant is None:
        return [site.add(op, (data,))]
    if result.dtype is not data.type.dtype or data.type.dtype not in (DType.I8, DType.I16):
        site.refuse(f"it sums quantised {data.type.dtype.value}", "keep it in float32, int8 or int16")
    check_scales(site, data)
    sums = site.add(Cast(DType.F32), (site.add(op, (_words(site, data),), "sums"),), "real_sums")
    scale = np.float32(data.type.quant.scale) / np.float32(result.quant.scale)
    count = math.prod(data.type.shape[axis] for axis in op.axes)
    offset = np.float32(-data.type.quant.zero_point) * scale * np.float32(count)
    scaled = site.add(Mul(), (sums, site.known(np.array(scale), "scale")), "scaled")
    steps = site.add(Add(), (scaled, site.known(np.array(offset), "offset")), "steps")
    rounded = Quantize(result.dtype, Quant((1.0,), (result.quant.zero_point,)))
    return [read_as(site, site.add(rounded, (steps,), "rounded"))]


def _words(site: OperatorSite, data: Value) -> Value:
    """The bare integers in 32 bits."""
    if data.type.dtype is DType.I16:
        return as_integers(site, data)
    table = site.known(np.arange(-128, 128, dtype=np.int32), "integers")
    return site.add(Table(), (data, table), "bare")


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
        return [from_integers(site, site.add(op, (as_integers(site, data),), "integers"))]

    return translate


def _axes(site: OperatorSite, data: Value) -> tuple[int, ...]:
    return axes_of(site, site.integers(1, "axes"), len(data.type.shape))


def _keepdims(site: OperatorSite) -> bool:
    return bool(site.option("KeepDims", False))
