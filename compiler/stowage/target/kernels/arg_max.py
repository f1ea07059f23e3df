# SPDX-License-Identifier: Apache-2.0
"""Index of the largest element along an axis: arg_max.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.reduction import ArgMax
from stowage.target.kernels.call_parts import CTYPES, INTEGERS, SUFFIXES, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Overlap, Site
from stowage.target.kernels.overlaps import strided_distance_bytes

_INDEX_BYTES = DType.I64.size_bytes


def lower_arg_max(node: Node, site: Site) -> KernelCall:
    """The call for ArgMax."""
    require_elements(node)
    op, data = node.op, node.inputs[0].type
    assert isinstance(op, ArgMax)
    if data.dtype not in (DType.F32, *INTEGERS):
        raise NoKernel(f"arg_max of {data.dtype.value}")
    outer, axis, inner = math.prod(data.shape[: op.axis]), data.shape[op.axis], math.prod(data.shape[op.axis + 1 :])
    size = data.dtype.size_bytes
    written, read = (inner * _INDEX_BYTES, _INDEX_BYTES), (axis * inner * size, size)
    return KernelCall(
        header="stowage/kernels/arg_max.h",
        function=f"stw_arg_max_{SUFFIXES[data.dtype]}",
        parameters=(
            ("outer", outer),
            ("axis", axis),
            ("inner", inner),
            ("select_last", int(op.select_last_index)),
        ),
        arguments=pointers((CTYPES[data.dtype],), "int64_t"),
        overlaps=(Overlap(0, strided_distance_bytes((outer, inner), written, read)),),
    )
