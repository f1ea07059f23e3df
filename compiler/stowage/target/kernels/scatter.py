# SPDX-License-Identifier: Apache-2.0
"""Elements put at places given by indices: scatter.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.selection import ScatterElements, ScatterNd
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, pointers, require_elements, word
from stowage.target.kernels.index import Fields, axis_shape, tuple_shape
from stowage.target.kernels.kernel import KernelCall, NoKernel, Overlap, Site

_REDUCTIONS = ("none", "add", "mul", "min", "max")
"""enum stw_scatter_reduction."""
_COMBINED = (DType.F32, DType.I8, DType.I16, DType.I32, DType.I64)


def lower_scatter_elements(node: Node, site: Site) -> KernelCall:
    """The call for ScatterElements."""
    assert isinstance(node.op, ScatterElements)
    return _call(node, axis_shape(node, node.op.axis, 1), node.op.reduction)


def lower_scatter_nd(node: Node, site: Site) -> KernelCall:
    """The call for ScatterNd."""
    assert isinstance(node.op, ScatterNd)
    tuples = math.prod(node.inputs[1].type.shape[:-1])
    return _call(node, tuple_shape(node, 0, tuples, 1), node.op.reduction)


def _call(node: Node, fields: Fields, reduction: str) -> KernelCall:
    require_elements(node)
    data, indices = node.output.type, node.inputs[1].type
    if data.dtype not in _COMBINED and reduction != "none":
        raise NoKernel(f"{node.op.mnemonic} with the reduction {reduction} of {data.dtype.value}")
    suffix = SUFFIXES[data.dtype] if reduction != "none" else f"u{8 * data.dtype.size_bytes}"
    ctype = CTYPES[data.dtype] if reduction != "none" else word(node.output)
    return KernelCall(
        header="stowage/kernels/scatter.h",
        function=f"stw_{node.op.mnemonic}_{suffix}_{SUFFIXES[indices.dtype]}",
        parameters=(*fields, ("elements", data.elements), ("reduction", _REDUCTIONS.index(reduction))),
        arguments=pointers((ctype, CTYPES[indices.dtype], ctype), ctype),
        overlaps=(Overlap(0, 0),),
    )
