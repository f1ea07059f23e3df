# SPDX-License-Identifier: Apache-2.0
"""QUANTIZE, DEQUANTIZE and CAST."""

from __future__ import annotations

import math

import numpy as np

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.scales import check_centred, check_scales
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Cast, Clip, Dequantize, Quantize, Table
from stowage.ir.ops.operands import EIGHT_BITS
from stowage.ir.tflite.change_of_scale import change_of_scale_table


def quantize(site: OperatorSite) -> list[Value]:
    """From reals, or from integers of another quantisation."""
    data, result = site.input(0), site.declared()
    if result.quant is None or result.quant.axis is not None:
        site.invalid("its result has no quantisation, or one along an axis")
    if data.type.dtype is DType.F32:
        check_centred(site)
        return [site.add(Quantize(result.dtype, result.quant), (data,))]
    if data.type.dtype is DType.I16 and result.dtype in (DType.I8, DType.I16):
        check_centred(site, data)
        check_scales(site, data)
        return [site.add_as(Clip(-math.inf, math.inf), (data,), like=result)]
    if data.type.dtype not in EIGHT_BITS or result.dtype not in EIGHT_BITS or data.type.quant is None:
        kinds = f"{data.type.dtype.value} to {result.dtype.value}"
        site.refuse(f"it changes the quantisation of {kinds}", "let it change between 8-bit types")
    check_scales(site, data)
    table = change_of_scale_table(data.type, result)
    return [site.add(Table(result.quant), (data, site.known(table, "table")))]


def dequantize(site: OperatorSite) -> list[Value]:
    """From integers to reals; half precision is widened."""
    data = site.input(0)
    if data.type.dtype is DType.F16:
        return [site.known(site.constant(0, "half-precision input").astype(np.float32), "")]
    if data.type.quant is None:
        site.invalid("its input has no quantisation")
    return [site.add(Dequantize(), (data,))]


def cast(site: OperatorSite) -> list[Value]:
    """Another element type."""
    return [site.add(Cast(site.declared().dtype), (site.input(0),))]
