# SPDX-License-Identifier: Apache-2.0
"""Indices of the largest elements, and what puts numbers back there: max_pool_indices.h and unpool_f32.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.unpooling import MaxPoolIndices
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site
from stowage.target.kernels.volume_parameters import pooled_volume


def lower_max_pool_indices(node: Node, site: Site) -> KernelCall:
    """The call for MaxPoolIndices."""
    require_elements(node)
    op, data = node.op, node.inputs[0].type
    assert isinstance(op, MaxPoolIndices)
    if data.dtype not in (DType.F32, DType.I8):
        raise NoKernel(f"{op.mnemonic} of {data.dtype.value}")
    return KernelCall(
        header="stowage/kernels/max_pool_indices.h",
        function=f"stw_max_pool_indices_{SUFFIXES[data.dtype]}",
        parameters=(*pooled_volume(node, op), ("steps", op.steps(data.shape[1:4]))),
        arguments=pointers((CTYPES[data.dtype],), "int64_t"),
    )


def lower_unpool(node: Node, site: Site) -> KernelCall:
    """The call for Unpool."""
    require_elements(node)
    data = node.inputs[0].type
    if data.dtype is not DType.F32:
        raise NoKernel(f"unpool of {data.dtype.value}")
    return KernelCall(
        header="stowage/kernels/unpool_f32.h",
        function="stw_unpool_f32",
        parameters=(("count", data.elements), ("elements", node.output.type.elements)),
        arguments=pointers(("float", "int64_t"), "float"),
    )
