# SPDX-License-Identifier: Apache-2.0
"""Indices of the largest elements along an axis: top_k.h."""

from __future__ import annotations

import math

from stowage.ir.graph import Node
from stowage.ir.ops.selection import TopK
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site


def lower_top_k(node: Node, site: Site) -> KernelCall:
    """The call for TopK."""
    require_elements(node)
    op, data = node.op, node.inputs[0].type
    assert isinstance(op, TopK)
    if data.dtype not in CTYPES:
        raise NoKernel(f"top_k of {data.dtype.value}")
    return KernelCall(
        header="stowage/kernels/top_k.h",
        function=f"stw_top_k_{SUFFIXES[data.dtype]}",
        parameters=(
            ("outer", math.prod(data.shape[: op.axis])),
            ("axis", data.shape[op.axis]),
            ("inner", math.prod(data.shape[op.axis + 1 :])),
            ("count", op.count),
            ("largest", int(op.largest)),
        ),
        arguments=pointers((CTYPES[data.dtype],), "int64_t"),
    )
