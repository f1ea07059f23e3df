# SPDX-License-Identifier: Apache-2.0
"""Pooling: max_pool2d_quantised.h, max_pool2d_f32.h, average_pool2d_quantised.h and average_pool2d_f32.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node
from stowage.ir.ops.window import AveragePool2d, MaxPool2d
from stowage.ir.ops.window_shape import window_axes
from stowage.ir.requantise import Rounding, quantise_multiplier
from stowage.ir.tflite.mean import quotient_multiplier
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, per_tensor, pointers
from stowage.target.kernels.float_output import float_output
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, NoKernel, Overlap, Site
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.requantisation import ACCUMULATOR_LIMIT, Requantisation, requantisation
from stowage.target.kernels.window_parameters import window_parameters
from stowage.target.kernels.window_walk import block_ahead, both_ways, last_block, lead, pixels_before

_TYPES = (DType.I8, DType.I16, DType.F32)
_BLOCK = 4
"""Channels made at once; those that are left over are made one by one."""


def lower_max_pool2d(node: Node, site: Site) -> KernelCall:
    """The call for MaxPool2d."""
    dtype = kernel_type(node, _TYPES)
    assert isinstance(node.op, MaxPool2d)
    if node.inputs[0].type.quant != node.output.type.quant:
        raise NoKernel("max pooling between different quantisations")
    return KernelCall(
        header=f"stowage/kernels/max_pool2d_{'f32' if dtype is DType.F32 else 'quantised'}.h",
        function=f"stw_max_pool2d_{SUFFIXES[dtype]}",
        parameters=(*window_parameters(node, node.op, node.op.kernel), FORWARD),
        arguments=pointers((CTYPES[dtype],), CTYPES[dtype]),
        overlaps=_overlaps(node, node.op),
    )


def lower_average_pool2d(node: Node, site: Site) -> KernelCall:
    """The call for AveragePool2d."""
    assert isinstance(node.op, AveragePool2d)
    if kernel_type(node, _TYPES) is not DType.F32:
        return _lower_quantised(node, node.op, site)
    return KernelCall(
        header="stowage/kernels/average_pool2d_f32.h",
        function="stw_average_pool2d_f32",
        parameters=(
            *window_parameters(node, node.op, node.op.kernel),
            FORWARD,
            ("count_padding", int(node.op.count_include_pad)),
            *float_output(node.op.clamp),
        ),
        arguments=pointers(("float",), "float"),
        overlaps=_overlaps(node, node.op),
    )


def _lower_quantised(node: Node, op: AveragePool2d, site: Site) -> KernelCall:
    area = op.kernel[0] * op.kernel[1]
    dtype = node.output.type.dtype
    if (area << 8 * dtype.size_bytes) >= ACCUMULATOR_LIMIT:
        raise NoKernel(f"a mean over {area} elements could overflow")
    output = _average_output(node, op, area, site.arithmetic)
    return KernelCall(
        header="stowage/kernels/average_pool2d_quantised.h",
        function=f"stw_average_pool2d_{SUFFIXES[dtype]}",
        parameters=(
            *window_parameters(node, op, op.kernel),
            FORWARD,
            ("input_zero_point", _centre(node, site.arithmetic)),
            *output.parameters,
        ),
        arguments=pointers((CTYPES[dtype],), CTYPES[dtype], ("int32_t", "int8_t")),
        constants=output.constants,
        overlaps=_overlaps(node, op),
    )


def _overlaps(node: Node, op: MaxPool2d | AveragePool2d) -> tuple[Overlap, ...]:
    channels = node.output.type.shape[3]

    def distance_elements(direction: Direction) -> int:
        before = pixels_before(node, op, op.kernel, direction)
        return lead(before, channels, channels, block_ahead(1, channels, last_block(channels, _BLOCK), 1, direction))

    return both_ways(distance_elements, node.output.type.dtype.size_bytes)


def _centre(node: Node, arithmetic: Arithmetic) -> int:
    """What is taken off every integer: TFLite averages them as they are, quantised alike on both sides."""
    return 0 if arithmetic is Arithmetic.TFLITE else per_tensor(node.inputs[0]).zero_point


def _average_output(node: Node, op: AveragePool2d, area: int, arithmetic: Arithmetic) -> Requantisation:
    """A multiplier for every count of elements, from 1 on, or the only one that there is."""
    counts = range(area, area + 1) if op.count_include_pad or not _is_padded(node, op) else range(1, area + 1)
    source, result = per_tensor(node.inputs[0]), per_tensor(node.output)
    if arithmetic is Arithmetic.ONNX:
        multipliers = [quantise_multiplier(source.scale / (result.scale * count)) for count in counts]
        return requantisation(node, multipliers, Rounding.ONCE)
    if source != result or (op.count_include_pad and _is_padded(node, op)):
        raise NoKernel("an average between different quantisations, or one that counts padding, in TFLite's arithmetic")
    return requantisation(node, [quotient_multiplier(count) for count in counts], Rounding.AWAY, zero_point=0)


def _is_padded(node: Node, op: AveragePool2d) -> bool:
    """Whether some window reaches into the padding."""
    axes = window_axes(op.kernel, op.strides, op.pads, op.dilations)
    return any(
        len(axis.taps(place, extent)) < axis.kernel
        for axis, extent in zip(axes, node.inputs[0].type.shape[1:3], strict=True)
        for place in (0, axis.places(extent) - 1)
    )
