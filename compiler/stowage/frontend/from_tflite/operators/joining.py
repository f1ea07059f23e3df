# SPDX-License-Identifier: Apache-2.0
"""CONCATENATION and PACK: several tensors one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.frontend.from_tflite.axes import axis_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.quantised_alike import check_alike, clipped
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Concat, Reshape


def concatenation(site: OperatorSite) -> list[Value]:
    """Along an axis that all have."""
    operands = _operands(site)
    axis = axis_of(site, site.option("Axis"), len(operands[0].type.shape))
    return [clipped(site, site.add(Concat(axis), operands))]


def pack(site: OperatorSite) -> list[Value]:
    """Along a new axis."""
    operands = _operands(site)
    axis = axis_of(site, site.option("Axis"), len(operands[0].type.shape) + 1)
    rows = [site.moved(Reshape(_with_one(operand.type.shape, axis)), operand, "row") for operand in operands]
    return [site.add(Concat(axis), rows)]


def _with_one(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], 1, *shape[axis:])


def _operands(site: OperatorSite) -> Sequence[Value]:
    operands = site.inputs()
    if not operands:
        site.invalid("it has no operands")
    check_alike(site, *operands)
    for operand in operands:
        if operand.type.quant != operands[0].type.quant:
            site.refuse(f"{operand.name!r} is quantised otherwise than the other operands", "quantise all alike")
    return operands
