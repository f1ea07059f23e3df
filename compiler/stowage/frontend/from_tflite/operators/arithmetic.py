# SPDX-License-Identifier: Apache-2.0
"""ADD, SUB, MUL and DIV: two operands, broadcast."""

from __future__ import annotations

from collections.abc import Callable

from stowage.frontend.from_tflite.fused_activation import fused_clamp
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.scales import check_scales
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub


def arithmetic(kind: type[Add | Sub | Mul | Div]) -> Callable[[OperatorSite], list[Value]]:
    """The translator to an operator of that kind."""

    def translate(site: OperatorSite) -> list[Value]:
        result, operands = site.declared(), site.inputs()
        check_scales(site, *operands)
        for operand in operands:
            check_scales(site, operand)
        return [site.add_as(kind(clamp=fused_clamp(site, result)), operands, like=result)]

    return translate
