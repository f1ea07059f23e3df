# SPDX-License-Identifier: Apache-2.0
"""Gemm, MatMul and Det."""

from __future__ import annotations

from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.ops.linear import Det, Gemm, MatMul


def _gemm(site: NodeSite) -> Results:
    op = Gemm(
        alpha=site.scalar("alpha", 1.0),
        beta=site.scalar("beta", 1.0),
        transpose_a=site.flag("transA"),
        transpose_b=site.flag("transB"),
    )
    operands = [index for index in range(3) if site.has(index)]
    if site.type(0).dtype.is_float:
        return (site.add(op, *(site.weights(index) for index in operands)),)
    if not (op.alpha.is_integer() and op.beta.is_integer()):
        raise site.unsupported(f"alpha is {op.alpha:g} and beta {op.beta:g} for integers", "use whole numbers")
    return (site.add(op, *(site.number(index) for index in operands)),)


def _matmul(site: NodeSite) -> Results:
    if not site.type(0).dtype.is_float:
        return (site.add(MatMul(), site.number(0), site.number(1)),)
    return (site.add(MatMul(), site.weights(0), site.weights(1)),)


def _det(site: NodeSite) -> Results:
    return (site.add(Det(), site.real(0)),)


IMPORTERS: Importers = {"Gemm": _gemm, "MatMul": _matmul, "Det": _det}
