# SPDX-License-Identifier: Apache-2.0
"""Products of two activations: matmul_s8.h and matmul_f32.h; of plain integers: matmul_integer.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.target.kernels.axes import AXES
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, per_tensor, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, ParameterValue, Site
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.requantisation import ACCUMULATOR_LIMIT, product_requantisation

_WALK_AXES = AXES
_BATCH_AXES = _WALK_AXES - 1
_INTEGERS = (DType.I32, DType.I64, DType.U32, DType.U64)

Shape = tuple[int, ...]


def lower_matmul(node: Node, site: Site) -> KernelCall:
    """The call for MatMul."""
    if node.output.type.dtype in _INTEGERS:
        require_elements(node)
        return _lower_plain(node, "matmul_integer.h")
    return _lower_plain(node, "matmul_f32.h") if kernel_type(node) is DType.F32 else _lower_s8(node, site)


def _lower_plain(node: Node, header: str) -> KernelCall:
    dtype = node.output.type.dtype
    return KernelCall(
        header=f"stowage/kernels/{header}",
        function=f"stw_matmul_{SUFFIXES[dtype]}",
        parameters=_extents(node),
        arguments=pointers((CTYPES[dtype],) * 2, CTYPES[dtype]),
    )


def _lower_s8(node: Node, site: Site) -> KernelCall:
    output = product_requantisation(node, site.arithmetic)
    zero_points = [per_tensor(node.inputs[0]).zero_point, _second_zero_point(node)]
    depth = node.inputs[0].type.shape[-1]
    if 255 * 255 * depth >= ACCUMULATOR_LIMIT:
        raise NoKernel(f"a product over {depth} elements could overflow; kernels take {ACCUMULATOR_LIMIT // 255**2}")
    return KernelCall(
        header="stowage/kernels/matmul_s8.h",
        function="stw_matmul_s8",
        parameters=(
            *_extents(node),
            ("a_zero_point", zero_points[0]),
            ("b_zero_point", zero_points[1]),
            *output.parameters,
        ),
        arguments=pointers(("int8_t", "int8_t"), "int8_t", ("int32_t", "int8_t")),
        constants=output.constants,
    )


def _second_zero_point(node: Node) -> int:
    """The one zero point of an operand that is quantised per tensor, or along its columns."""
    quant, rank = node.inputs[1].type.quant, len(node.inputs[1].type.shape)
    if quant is None or (len(quant.scales) > 1 and quant.axis != rank - 1) or len(set(quant.zero_points)) != 1:
        raise NoKernel(f'"{node.inputs[1].name}" is not quantised by tensor or column with one zero point')
    return quant.zero_points[0]


def _extents(node: Node) -> tuple[tuple[str, ParameterValue], ...]:
    a, b = (_matrices(value.type.shape, vector) for value, vector in zip(node.inputs, ((1, -1), (-1, 1)), strict=True))
    batches = _broadcast(a[:-2], b[:-2])
    if len(batches) > _BATCH_AXES:
        raise NoKernel(f"{len(batches)} batch axes; kernels take {_BATCH_AXES}")
    return (
        ("batches", _filled(batches, 1)),
        ("a_strides", _strides(a, len(batches))),
        ("b_strides", _strides(b, len(batches))),
        ("rows", a[-2]),
        ("depth", a[-1]),
        ("columns", b[-1]),
    )


def _matrices(shape: Shape, vector: Shape) -> Shape:
    """The shape, or the matrix that stands for a vector (-1 is its length)."""
    return shape if len(shape) > 1 else tuple(shape[0] if extent < 0 else extent for extent in vector)


def _broadcast(a: Shape, b: Shape) -> Shape:
    rank = max(len(a), len(b))
    pairs = zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True)
    return tuple(max(pair) if min(pair) > 0 else 0 for pair in pairs)


def _strides(shape: Shape, axes: int) -> Shape:
    """Elements from one batch to the next along each batch axis, 0 along those of extent 1 or absent."""
    leading = (1,) * (axes - len(shape) + 2) + shape[:-2]
    matrix = math.prod(shape[-2:])
    strides = [matrix * math.prod(leading[axis + 1 :]) if leading[axis] > 1 else 0 for axis in range(axes)]
    return _filled(tuple(strides), 0)


def _filled(values: Shape, missing: int) -> Shape:
    """Batch axes as the kernel walks over them: filled up in front, and an axis of nothing at the end."""
    return (missing,) * (_BATCH_AXES - len(values)) + values + (missing,) * (_WALK_AXES - _BATCH_AXES)
