# SPDX-License-Identifier: Apache-2.0
"""Mean over some axes: reduce_mean.h."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from math import prod

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node
from stowage.ir.ops.reduction import ReduceMean
from stowage.ir.quantised_clamp import integer_range
from stowage.ir.requantise import quantise_multiplier
from stowage.target.kernels.axes import filled_up, merged, row_major_strides
from stowage.target.kernels.call_parts import CTYPES, ROUNDINGS, SUFFIXES, per_tensor, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Overlap, ParameterValue, Site
from stowage.target.kernels.overlaps import strided_distance_bytes

_REDUCED_AXES = 3
_LARGEST_COUNT = 2**30 // 255


@dataclass(frozen=True, slots=True)
class _Shape:
    """Extents and strides (of the input, in elements) of the axes that stay and of those that go."""

    extents: tuple[int, ...]
    strides: tuple[int, ...]
    reduced_extents: tuple[int, ...]
    reduced_strides: tuple[int, ...]

    @property
    def count(self) -> int:
        """Elements that go into one mean."""
        return prod(self.reduced_extents)


def lower_reduce_mean(node: Node, site: Site) -> KernelCall:
    """The call for ReduceMean."""
    require_elements(node)
    dtype, shape = node.output.type.dtype, _shape(node)
    if dtype not in (DType.F32, DType.I8) or not shape.count:
        raise NoKernel(f"mean of {shape.count} elements of {dtype.value}")
    ctype = CTYPES[dtype]
    return KernelCall(
        header="stowage/kernels/reduce_mean.h",
        function=f"stw_reduce_mean_{SUFFIXES[dtype]}",
        parameters=(
            ("extents", filled_up(shape.extents, 1)),
            ("strides", filled_up(shape.strides, 0)),
            ("reduced_extents", filled_up(shape.reduced_extents, 1, _REDUCED_AXES)),
            ("reduced_strides", filled_up(shape.reduced_strides, 0, _REDUCED_AXES)),
            ("count", shape.count),
            *(_quantised_fields(node, shape.count, site.arithmetic) if dtype is DType.I8 else ()),
        ),
        arguments=pointers((ctype,), ctype),
        overlaps=(Overlap(0, _distance_bytes(shape, dtype.size_bytes)),),
    )


def _shape(node: Node) -> _Shape:
    op, shape = node.op, node.inputs[0].type.shape
    assert isinstance(op, ReduceMean)
    steps = row_major_strides(shape)
    walk = enumerate(zip(shape, steps, strict=True))
    axes = [(axis in op.axes, extent, step) for axis, (extent, step) in walk if extent != 1]
    parts: dict[bool, list[tuple[int, int]]] = {False: [], True: []}
    for goes, run in groupby(axes, key=lambda axis: axis[0]):
        _, extents, strides = zip(*run, strict=True)
        whole, (step,) = merged(extents, strides)
        parts[goes] += zip(whole, step, strict=True)
    return _Shape(*(tuple(pair[k] for pair in parts[goes]) for goes in (False, True) for k in (0, 1)))


def _quantised_fields(node: Node, count: int, arithmetic: Arithmetic) -> tuple[tuple[str, ParameterValue], ...]:
    if arithmetic is not Arithmetic.ONNX or count > _LARGEST_COUNT:
        raise NoKernel(f"mean of {count} quantised elements in the arithmetic of {arithmetic.value}")
    source, target = per_tensor(node.inputs[0]), per_tensor(node.output)
    try:
        multiplier = quantise_multiplier(source.scale / (target.scale * count))
    except ValueError as error:
        raise NoKernel(str(error)) from error
    lowest, highest = integer_range(DType.I8)
    return (
        ("input_zero_point", source.zero_point),
        ("multiplier", multiplier.value),
        ("shift", multiplier.shift),
        ("rounding", ROUNDINGS[arithmetic]),
        ("output_zero_point", target.zero_point),
        ("lowest", lowest),
        ("highest", highest),
    )


def _distance_bytes(shape: _Shape, size: int) -> int:
    written = tuple(size * step for step in row_major_strides(shape.extents))
    return strided_distance_bytes(shape.extents, written, tuple(size * step for step in shape.strides))
