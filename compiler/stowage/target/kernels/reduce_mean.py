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

_LARGEST_SUM = 2**30
"""What the magnitude of a sum has to stay below."""
_MOST = {DType.I8: 2**8 - 1, DType.I16: 2**15}
"""Of an element's magnitude without zero point."""


def lower_reduce_mean(node: Node, site: Site) -> KernelCall:
    """The call for ReduceMean."""
    require_elements(node)
    assert isinstance(node.op, ReduceMean)
    dtype, shape = node.output.type.dtype, reduced_shape(node.inputs[0].type.shape, node.op.axes)
    known = (DType.F32, DType.I8, DType.I16) if site.arithmetic is Arithmetic.TFLITE else (DType.F32, DType.I8)
    if dtype is not node.inputs[0].type.dtype or dtype not in known or not shape.count:
        raise NoKernel(f"mean of {shape.count} elements of {dtype.value}")
    ctype = CTYPES[dtype]
    return KernelCall(
        header="stowage/kernels/reduce_mean.h",
        function=f"stw_reduce_mean_{SUFFIXES[dtype]}",
        parameters=(
            *shape.parameters,
            *(() if dtype is DType.F32 else _quantised_fields(node, shape.count, site.arithmetic)),
        ),
        arguments=pointers((ctype,), ctype),
        overlaps=(Overlap(0, shape.distance_bytes(dtype.size_bytes)),),
    )


def _quantised_fields(node: Node, count: int, arithmetic: Arithmetic) -> tuple[tuple[str, ParameterValue], ...]:
    dtype = node.output.type.dtype
    if count * _MOST[dtype] >= _LARGEST_SUM:
        raise NoKernel(f"mean of {count} quantised elements")
    source, target = per_tensor(node.inputs[0]), per_tensor(node.output)
    try:
        multiplier, rounding = _multiplier(source.scale, target.scale, count, arithmetic)
    except ValueError as error:
        raise NoKernel(str(error)) from error
    lowest, highest = integer_range(dtype)
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
