# SPDX-License-Identifier: Apache-2.0
"""Integers that are taken for other reals than those that they were made for.

Converters sometimes declare the result of an operator that only moves elements with another quantisation than its
input. TFLite moves the integers all the same.
"""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.bits import BitCast
from stowage.ir.ops.elementwise import Cast, Table
from stowage.ir.ops.operands import EIGHT_BITS
from stowage.ir.tensor_type import Quant


def read_as(site: OperatorSite, value: Value, index: int = 0) -> Value:
    """The value with the quantisation that the result is declared with; no integer changes."""
    declared = site.declared(index)
    if value.type.quant == declared.quant or declared.quant is None:
        return value
    if declared.quant.axis is not None:
        site.refuse("its result is quantised otherwise than its input", "quantise both alike")
    return reinterpreted(site, value, declared.quant)


def reinterpreted(site: OperatorSite, value: Value, quant: Quant | None, role: str = "") -> Value:
    """Bytes or words that stand for other reals, or for themselves."""
    if value.type.dtype in EIGHT_BITS:
        return site.add(Table(quant), (value, _same_integers(site, value)), role)
    if value.type.dtype is not DType.I16:
        site.refuse(f"it takes quantised {value.type.dtype.value} for other reals", "keep it in float32 or int8")
    return site.add(BitCast(DType.I16, quant), (value,), role)


def as_integers(site: OperatorSite, value: Value) -> Value:
    """The bare integers of a quantised tensor: of 8 bits as they are, of 16 in 32 bits."""
    if value.type.dtype is DType.I16:
        return site.add(Cast(DType.I32), (value,), "bare")
    if value.type.dtype not in EIGHT_BITS:
        site.refuse(f"it compares quantised {value.type.dtype.value}", "keep it in float32 or int8")
    return reinterpreted(site, value, None, "bare")


def from_integers(site: OperatorSite, value: Value) -> Value:
    """What the result's integers are, from those that `as_integers` made."""
    if site.declared().dtype is DType.I16:
        value = site.add(Cast(DType.I16), (value,), "words")
        return site.add(BitCast(DType.I16, site.declared().quant), (value,))
    return read_as(site, value)


def _same_integers(site: OperatorSite, value: Value) -> Value:
    """A table that changes nothing."""
    limits = np.iinfo(value.type.dtype.numpy.name)
    return site.known(np.arange(limits.min, limits.max + 1).astype(value.type.dtype.numpy), "integers")
