# SPDX-License-Identifier: Apache-2.0
"""Cast between element types: cast.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, pointers, require_elements
from stowage.target.kernels.copy import copy_call
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site
from stowage.target.kernels.overlaps import element_by_element


def lower_cast(node: Node, site: Site) -> KernelCall:
    """The call for Cast; a bool is the byte 0 or 1."""
    require_elements(node)
    source, target = node.inputs[0].type, node.output.type
    if source.dtype is target.dtype:
        return copy_call(node)
    if not _has_kernel(source.dtype, target.dtype):
        raise NoKernel(f"cast of {source.dtype.value} to {target.dtype.value}")
    origin = DType.U8 if source.dtype is DType.BOOL else source.dtype
    if origin is target.dtype:
        return copy_call(node)
    return KernelCall(
        header="stowage/kernels/cast.h",
        function=f"stw_cast_{SUFFIXES[origin]}_{SUFFIXES[target.dtype]}",
        parameters=(("elements", target.elements),),
        arguments=pointers((CTYPES[origin],), CTYPES[target.dtype]),
        overlaps=(element_by_element(0, target.elements, origin.size_bytes, target.dtype.size_bytes),),
    )


def _has_kernel(source: DType, target: DType) -> bool:
    """A 16-bit float is cast to and from a float alone; the others go by way of that."""
    if DType.F16 in (source, target):
        return DType.F32 in (source, target)
    return source in CTYPES and target in CTYPES
