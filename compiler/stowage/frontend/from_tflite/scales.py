# SPDX-License-Identifier: Apache-2.0
"""Scales that go together: no multiplier stands for the quotient of a large one and a tiny one."""

from __future__ import annotations

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.graph import Value

_LARGEST_QUOTIENT = 2.0**24


def check_scales(site: OperatorSite, *operands: Value) -> None:
    """Refuses a quantised result whose scale is tiny beside the product of its operands'.

    Raises:
        InvalidModel: the quotient of the two is 2**24 or more.
    """
    result = site.declared().quant
    if result is None:
        return
    product = 1.0
    for operand in operands:
        product *= max(operand.type.quant.scales) if operand.type.quant is not None else 1.0
    if product / min(result.scales) >= _LARGEST_QUOTIENT:
        site.invalid(f"the scale {min(result.scales):g} of its result is too small beside its operands' {product:g}")
