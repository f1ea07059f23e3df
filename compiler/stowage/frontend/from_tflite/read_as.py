# SPDX-License-Identifier: Apache-2.0
"""Integers that are taken for other reals than those that they were made for.

Converters sometimes declare the result of an operator that only moves elements with another quantisation than its
input. TFLite moves the integers all the same.
"""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Table
from stowage.ir.ops.operands import EIGHT_BITS


def read_as(site: OperatorSite, value: Value, index: int = 0) -> Value:
    """The value with the quantisation that the result is declared with, by a look-up that changes no integer."""
    declared = site.declared(index)
    if value.type.quant == declared.quant or declared.quant is None:
        return value
    if value.type.dtype not in EIGHT_BITS or declared.quant.axis is not None:
        site.refuse("its result is quantised otherwise than its input", "quantise both alike")
    return site.add(Table(declared.quant), (value, _same_integers(site, value)))


def as_integers(site: OperatorSite, value: Value) -> Value:
    """The bare integers of a quantised 8-bit tensor."""
    if value.type.dtype not in EIGHT_BITS:
        site.refuse(f"it compares quantised {value.type.dtype.value}", "keep it in float32 or int8")
    return site.add(Table(None), (value, _same_integers(site, value)), "bare")


def _same_integers(site: OperatorSite, value: Value) -> Value:
    """A table that changes nothing."""
    limits = np.iinfo(value.type.dtype.numpy.name)
    return site.known(np.arange(limits.min, limits.max + 1).astype(value.type.dtype.numpy), "integers")
