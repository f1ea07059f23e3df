# SPDX-License-Identifier: Apache-2.0
"""ADD, SUB, MUL and DIV: two operands, broadcast."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from stowage.frontend.from_tflite.fused_activation import fused_clamp
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.scales import check_centred, check_scales
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub

_LEAST_POWER = 1e-3


def _check_words(site: OperatorSite, operands: Sequence[Value]) -> None:
    """Refuses 16-bit operands in the form of LSTM cells: scales of powers of two, which the operator shifts by."""
    check_centred(site, *operands)
    types = (*(operand.type for operand in operands), site.declared())
    if site.option("PotScaleInt16") and all(type_.quant and _is_power(type_.quant.scale) for type_ in types):
        site.refuse("it adds 16-bit integers by shifts (pot_scale_int16)", "convert the model with pot_scale_int16 off")


def _is_power(scale: float) -> bool:
    """As TFLite tells powers of two from other scales."""
    return abs(math.log2(scale) - round(math.log2(scale))) < _LEAST_POWER


def arithmetic(kind: type[Add | Sub | Mul | Div]) -> Callable[[OperatorSite], list[Value]]:
    """The translator to an operator of that kind."""

    def translate(site: OperatorSite) -> list[Value]:
        result, operands = site.declared(), site.inputs()
        check_scales(site, *operands)
        for operand in operands:
            check_scales(site, operand)
        if result.dtype is DType.I16:
            _check_words(site, operands)
        return [site.add_as(kind(clamp=fused_clamp(site, result)), operands, like=result)]

    return translate
