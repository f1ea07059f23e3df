# SPDX-License-Identifier: Apache-2.0
"""Products of two activations: matmul_s8.h and matmul_f32.h; of plain integers: matmul_integer.h."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.target.kernels.axes import AXES
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, per_tensor, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Overlap, ParameterValue, Site
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.requantisation import ACCUMULATOR_LIMIT, product_requantisation
from stowage.target.kernels.window_walk import last_block

_WALK_AXES = AXES
_BATCH_AXES = _WALK_AXES - 1
_BLOCK = 4
"""STW_BLOCK_CHANNELS: columns made at once; those that are left over are made one by one."""
_INTEGERS = (DType.I32, DType.I64, DType.U32, DType.U64)

Shape = tuple[int, ...]
Fields = tuple[tuple[str, ParameterValue], ...]


def lower_matmul(node: Node, site: Site) -> KernelCall:
    """The call for MatMul."""
    if node.output.type.dtype in _INTEGERS:
        require_elements(node)
        return _lower_plain(node, "matmul_integer.h", 1)
    return _lower_plain(node, "matmul_f32.h", _BLOCK) if kernel_type(node) is DType.F32 else _lower_s8(node, site)


def _lower_plain(node: Node, header: str, block: int) -> KernelCall:
    dtype = node.output.type.dtype
    extents = _extents(node)
    return KernelCall(
        header=f"stowage/kernels/{header}",
        function=f"stw_matmul_{SUFFIXES[dtype]}",
        parameters=extents,
        arguments=pointers((CTYPES[dtype],) * 2, CTYPES[dtype]),
        overlaps=_overlaps(extents, block, dtype.size_bytes),
    )


def _lower_s8(node: Node, site: Site) -> KernelCall:
    output = product_requantisation(node, site.arithmetic)
    zero_points = [per_tensor(node.inputs[0]).zero_point, _second_zero_point(node)]
    depth = node.inputs[0].type.shape[-1]
    if 255 * 255 * depth >= ACCUMULATOR_LIMIT:
        raise NoKernel(f"a product over {depth} elements could overflow; kernels take {ACCUMULATOR_LIMIT // 255**2}")
    extents = _extents(node)
    return KernelCall(
        header="stowage/kernels/matmul_s8.h",
        function="stw_matmul_s8",
        parameters=(
            *extents,
            ("a_zero_point", zero_points[0]),
            ("b_zero_point", zero_points[1]),
            *output.parameters,
        ),
        arguments=pointers(("int8_t", "int8_t"), "int8_t", ("int32_t", "int8_t")),
        constants=output.constants,
        overlaps=_overlaps(extents, _BLOCK, 1),
    )


def _overlaps(extents: Fields, block: int, element_bytes: int) -> tuple[Overlap, ...]:
    """The output may lie over both operands.

    The last block of columns still reads its row of the first one from its begin. The last row of a product reads each
    column of the second one when everything before that column of the row is written.
    """
    values = {name: value if isinstance(value, tuple) else (value,) for name, value in extents}
    shape = {name: tuple(map(int, value)) for name, value in values.items()}
    (rows,), (depth,), (columns,) = shape["rows"], shape["depth"], shape["columns"]
    first, second = (_offsets(shape["batches"], shape[f"{name}_strides"]) for name in ("a", "b"))
    product = rows * columns
    written = np.arange(len(first), dtype=np.int64) * product
    rest = max(0, (rows - 1) * (columns - depth)) + last_block(columns, block)
    leads = (written - first + rest, written - second + product - columns)
    return tuple(Overlap(index, element_bytes * max(0, int(lead.max()))) for index, lead in enumerate(leads))


def _offsets(batches: Shape, strides: Shape) -> NDArray[np.int64]:
    """Where the matrix of each product begins, in elements, in the order in which products are made."""
    offsets: NDArray[np.int64] = np.zeros(1, np.int64)
    for extent, stride in zip(batches, strides, strict=True):
        offsets = (offsets[:, None] + np.arange(extent, dtype=np.int64) * stride).ravel()
    return offsets


def _second_zero_point(node: Node) -> int:
    """The one zero point of an operand that is quantised per tensor, or along its columns."""
    quant, rank = node.inputs[1].type.quant, len(node.inputs[1].type.shape)
    if quant is None or (len(quant.scales) > 1 and quant.axis != rank - 1) or len(set(quant.zero_points)) != 1:
        raise NoKernel(f'"{node.inputs[1].name}" is not quantised by tensor or column with one zero point')
    return quant.zero_points[0]


def _extents(node: Node) -> Fields:
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
