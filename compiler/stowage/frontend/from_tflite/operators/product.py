# SPDX-License-Identifier: Apache-2.0
"""BATCH_MATMUL."""

from __future__ import annotations

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.scales import check_scales
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.linear import MatMul
from stowage.ir.ops.movement import Transpose


def batch_matmul(site: OperatorSite) -> list[Value]:
    """Products of matrices, either of them transposed if asked."""
    a = _matrix(site, 0, bool(site.option("AdjX", False)))
    b = _matrix(site, 1, bool(site.option("AdjY", False)))
    result = site.declared()
    kinds = {value.type.dtype for value in (a, b)} | {result.dtype}
    if kinds not in ({DType.F32}, {DType.I8}):
        named = ", ".join(sorted(kind.value for kind in kinds))
        site.refuse(f"its operands and result are {named}", "use float32 or int8 throughout")
    check_scales(site, a, b)
    return [site.add_as(MatMul(), (a, b), like=result)]


def _matrix(site: OperatorSite, index: int, transposed: bool) -> Value:
    value = site.input(index)
    rank = len(value.type.shape)
    if rank < 2:
        site.invalid(f"operand {index} has the shape {list(value.type.shape)}")
    swapped = (*range(rank - 2), rank - 1, rank - 2)
    return site.moved(Transpose(swapped), value, "transposed") if transposed else value
