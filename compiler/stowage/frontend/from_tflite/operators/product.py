# SPDX-License-Identifier: Apache-2.0
"""BATCH_MATMUL."""

from __future__ import annotations

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.graph import Value
from stowage.ir.ops.linear import MatMul
from stowage.ir.ops.movement import Transpose


def batch_matmul(site: OperatorSite) -> list[Value]:
    """Products of matrices, either of them transposed if asked."""
    a = _matrix(site, 0, bool(site.option("AdjX", False)))
    b = _matrix(site, 1, bool(site.option("AdjY", False)))
    if a.type.quant is not None or b.type.quant is not None:
        site.refuse("it computes with quantised integers", "keep it in float32, or use FULLY_CONNECTED")
    return [site.add(MatMul(), (a, b))]


def _matrix(site: OperatorSite, index: int, transposed: bool) -> Value:
    value = site.input(index)
    rank = len(value.type.shape)
    if rank < 2:
        site.invalid(f"operand {index} has the shape {list(value.type.shape)}")
    swapped = (*range(rank - 2), rank - 1, rank - 2)
    return site.moved(Transpose(swapped), value, "transposed") if transposed else value
