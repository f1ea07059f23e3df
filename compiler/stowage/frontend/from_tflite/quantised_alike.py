# SPDX-License-Identifier: Apache-2.0
"""Operators whose operands and result TFLite wants quantised alike, since they never change an integer."""

from __future__ import annotations

from stowage.frontend.from_tflite.fused_activation import fused_clamp
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.scales import check_centred
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Clip

_SAME_SCALE = 1e-6


def check_alike(site: OperatorSite, *operands: Value) -> None:
    """Refuses operands whose integers stand for other reals than the result's would."""
    result = site.declared()
    if result.quant is not None:
        check_centred(site, *operands)
    for operand in operands:
        one, other = operand.type.quant, result.quant
        if operand.type.dtype is not result.dtype or (one is None) != (other is None):
            site.invalid(f"{operand.name!r} has elements of another kind than its result")
        if one is None or other is None:
            continue
        if one.zero_points != other.zero_points or abs(one.scales[0] - other.scales[0]) > _SAME_SCALE:
            site.refuse(f"{operand.name!r} is quantised otherwise than its result", "quantise both alike")


def clipped(site: OperatorSite, value: Value) -> Value:
    """The value within the fused activation, where there is one."""
    clamp = fused_clamp(site, value.type)
    return value if clamp is None else site.add_as(Clip(*clamp), (value,), like=value.type)
