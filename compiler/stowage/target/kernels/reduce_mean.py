# SPDX-License-Identifier: Apache-2.0
"""Mean over some axes: reduce_mean.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node
from stowage.ir.ops.reduction import ReduceMean
from stowage.ir.quantised_clamp import integer_range
from stowage.ir.requantise import Multiplier, Rounding, quantise_multiplier
from stowage.ir.tflite.mean import mean_multiplier
from stowage.target.kernels.call_parts import CTYPES, ROUNDINGS, SUFFIXES, per_tensor, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Overlap, ParameterValue, Site
from stowage.target.kernels.reduced_shape import reduced_shape

_LARGEST_COUNT = 2**30 // 255


def lower_reduce_mean(node: Node, site: Site) -> KernelCall:
    """The call for ReduceMean."""
    require_elements(node)
    assert isinstance(node.op, ReduceMean)
    dtype, shape = node.output.type.dtype, reduced_shape(node.inputs[0].type.shape, node.op.axes)
    if dtype not in (DType.F32, DType.I8) or not shape.count:
        raise NoKernel(f"mean of {shape.count} elements of {dtype.value}")
    ctype = CTYPES[dtype]
    return KernelCall(
        header="stowage/kernels/reduce_mean.h",
        function=f"stw_reduce_mean_{SUFFIXES[dtype]}",
        parameters=(
            *shape.parameters,
            *(_quantised_fields(node, shape.count, site.arithmetic) if dtype is DType.I8 else ()),
        ),
        arguments=pointers((ctype,), ctype),
        overlaps=(Overlap(0, shape.distance_bytes(dtype.size_bytes)),),
    )


def _quantised_fields(node: Node, count: int, arithmetic: Arithmetic) -> tuple[tuple[str, ParameterValue], ...]:
    if count > _LARGEST_COUNT:
        raise NoKernel(f"mean of {count} quantised elements")
    source, target = per_tensor(node.inputs[0]), per_tensor(node.output)
    try:
        multiplier, rounding = _multiplier(source.scale, target.scale, count, arithmetic)
    except ValueError as error:
        raise NoKernel(str(error)) from error
    lowest, highest = integer_range(DType.I8)
    return (
        ("input_zero_point", source.zero_point),
        ("multiplier", multiplier.value),
        ("shift", multiplier.shift),
        ("rounding", ROUNDINGS[rounding]),
        ("output_zero_point", target.zero_point),
        ("lowest", lowest),
        ("highest", highest),
    )


def _multiplier(
    input_scale: float, output_scale: float, count: int, arithmetic: Arithmetic
) -> tuple[Multiplier, Rounding]:
    if arithmetic is Arithmetic.TFLITE:
        return mean_multiplier(input_scale, output_scale, count), Rounding.TWICE
    return quantise_multiplier(input_scale / (output_scale * count)), Rounding.ONCE
