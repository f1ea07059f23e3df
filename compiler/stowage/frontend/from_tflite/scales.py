# SPDX-License-Identifier: Apache-2.0
"""Quantisations that go together.

No multiplier stands for the quotient of a large scale and a tiny one; integers of 16 bits have no zero point.
"""

from __future__ import annotations

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.tensor_type import TensorType

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


def check_centred(site: OperatorSite, *operands: Value) -> None:
    """Refuses 16-bit operands and results with a zero point, or without a scale.

    Raises:
        InvalidModel: one has.
    """
    for type_ in (*(operand.type for operand in operands), site.declared()):
        if type_.dtype is DType.I16 and not _is_centred(type_):
            site.invalid("a 16-bit operand or result has a zero point, or no scale of its own")


def _is_centred(type_: TensorType) -> bool:
    return type_.quant is not None and type_.quant.axis is None and not any(type_.quant.zero_points)
