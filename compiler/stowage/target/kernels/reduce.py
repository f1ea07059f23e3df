# SPDX-License-Identifier: Apache-2.0
"""Reductions beside the mean: reduce.h; normalisation: normalize_f32.h; running sums and products: cumulation.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.reduction import Cumulation, Normalize, Reduction
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Overlap, Site
from stowage.target.kernels.reduced_shape import reduced_shape

_INTEGERS = {
    "reduce_sum": (DType.I32, DType.I64, DType.U32, DType.U64),
    "reduce_prod": (DType.I32, DType.I64, DType.U32, DType.U64),
    "reduce_l1": (DType.I32, DType.I64),
    "reduce_sum_square": (DType.I32, DType.I64, DType.U32, DType.U64),
    "reduce_max": (DType.I8, DType.U8, DType.I32, DType.I64, DType.U32, DType.U64),
    "reduce_min": (DType.I8, DType.U8, DType.I32, DType.I64, DType.U32, DType.U64),
}
_CUMULATED = (DType.F32, DType.I32, DType.I64, DType.U32, DType.U64)


def lower_reduction(node: Node, site: Site) -> KernelCall:
    """The call for a reduction beside the mean."""
    require_elements(node)
    op, data = node.op, node.inputs[0].type
    assert isinstance(op, Reduction)
    shape = reduced_shape(data.shape, op.axes)
    dtype = DType.U8 if data.dtype is DType.BOOL else data.dtype
    known = dtype is DType.F32 or dtype in _INTEGERS.get(op.mnemonic, ())
    if not known or data.quant is not None or not shape.count:
        raise NoKernel(f"{op.mnemonic} of {shape.count} elements of {data.dtype.value}")
    return KernelCall(
        header="stowage/kernels/reduce.h",
        function=f"stw_{op.mnemonic}_{SUFFIXES[dtype]}",
        parameters=shape.parameters,
        arguments=pointers((CTYPES[data.dtype],), CTYPES[data.dtype]),
        overlaps=(Overlap(0, shape.distance_bytes(data.dtype.size_bytes)),),
    )


def lower_normalize(node: Node, site: Site) -> KernelCall:
    """The call for Normalize."""
    require_elements(node)
    op, data = node.op, node.inputs[0].type
    assert isinstance(op, Normalize)
    if data.dtype is not DType.F32:
        raise NoKernel(f"normalisation of {data.dtype.value}")
    return KernelCall(
        header="stowage/kernels/normalize_f32.h",
        function="stw_normalize_f32",
        parameters=(
            *reduced_shape(data.shape, op.axes).parameters,
            ("epsilon", float(op.epsilon)),
            ("centred", int(op.centred)),
        ),
        arguments=pointers(("float",), "float"),
        overlaps=(Overlap(0, 0),) if in_one_piece(node, op.axes) else (),
    )


def in_one_piece(node: Node, axes: tuple[int, ...]) -> bool:
    """Whether each group lies in consecutive elements: the output may then be below the input."""
    shape = node.output.type.shape
    first = next((axis for axis, extent in enumerate(shape) if axis in axes and extent > 1), len(shape))
    return all(axis in axes or shape[axis] == 1 for axis in range(first, len(shape)))


def lower_cumulation(node: Node, site: Site) -> KernelCall:
    """The call for CumSum and CumProd."""
    require_elements(node)
    op, data = node.op, node.inputs[0].type
    assert isinstance(op, Cumulation)
    if data.dtype not in _CUMULATED:
        raise NoKernel(f"{op.mnemonic} of {data.dtype.value}")
    return KernelCall(
        header="stowage/kernels/cumulation.h",
        function=f"stw_{op.mnemonic}_{SUFFIXES[data.dtype]}",
        parameters=(
            ("outer", math.prod(data.shape[: op.axis])),
            ("axis", data.shape[op.axis]),
            ("inner", math.prod(data.shape[op.axis + 1 :])),
            ("exclusive", int(op.exclusive)),
            ("reverse", int(op.reverse)),
        ),
        arguments=pointers((CTYPES[data.dtype],), CTYPES[data.dtype]),
    )
