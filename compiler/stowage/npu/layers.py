# SPDX-License-Identifier: Apache-2.0
"""Which steps of a schedule an NPU can take, and what they are to it.

A layer is made of the step's kernel call on the processor: the same biases, multipliers, shifts and bounds, hence the
same integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from stowage.ir.graph import Array, Node
from stowage.ir.ops.reduction import ReduceMean
from stowage.ir.ops.residual import Conv2dAdd
from stowage.npu.layer import Kind, Layer, Tensor, Window
from stowage.npu.words import output_word, sum_words
from stowage.schedule.schedule import Step
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.conv2d_add import parts
from stowage.target.kernels.kernel import KernelCall, ParameterValue, Site
from stowage.target.kernels.weights import symmetric_weights

_MOST_EXTENT = 0xFFFF
_MOST_WINDOW = 0xFF

Fields = Mapping[str, ParameterValue]


def layers_of(step: Step, site: Site, operators: frozenset[str]) -> tuple[Layer, ...] | None:
    """What a step is to an NPU that runs such operators: one layer, or two where a sum is fused; None where it is not.

    Args:
        step: a step with the call that it has on the processor.
        site: its constants and arithmetic.
        operators: names of `Kind`s.
    """
    if isinstance(step.node.op, Conv2dAdd):
        nodes = parts(step.node)
        steps = [Step(node, lower(node, site)) for node in nodes]
        layers = tuple(_layer(each, site) for each in steps)
    else:
        layers = (_layer(step, site),)
    taken = [layer for layer in layers if layer is not None and layer.kind.value in operators and _is_in_range(layer)]
    return tuple(taken) if len(taken) == len(layers) else None


def _layer(step: Step, site: Site) -> Layer | None:
    make = _MAKERS.get(step.call.function)
    known = all(
        value.name not in site.constants for value in step.node.inputs[: 2 if "add" in step.call.function else 1]
    )
    return make(step.node, step.call, site) if make is not None and known else None


def _fields(call: KernelCall) -> Fields:
    return dict(call.parameters)


def _number(fields: Fields, name: str) -> int:
    value = fields[name]
    assert isinstance(value, int)
    return value


def _constant(call: KernelCall, role: str) -> Array:
    return next(constant.array for constant in call.constants if constant.role == role)


def _image(name: str, shape: tuple[int, ...]) -> Tensor:
    return Tensor(name, *shape[1:])


def _matrix(name: str, shape: tuple[int, ...]) -> Tensor:
    return Tensor(name, math.prod(shape[:-1]), 1, shape[-1])


def _bytes(name: str, elements: int) -> Tensor:
    return Tensor(name, elements, 1, 1)


def _window(fields: Fields) -> Window:
    def pair(first: str, second: str) -> tuple[int, int]:
        return _number(fields, f"window.{first}"), _number(fields, f"window.{second}")

    return Window(
        kernel=pair("kernel_height", "kernel_width"),
        strides=pair("stride_height", "stride_width"),
        dilations=pair("dilation_height", "dilation_width"),
        pads=pair("pad_top", "pad_left"),
    )


def _bounds(fields: Fields, prefix: str = "output.") -> tuple[int, int, int]:
    zero_point = fields.get(f"{prefix}zero_point", fields.get("output_zero_point"))
    assert isinstance(zero_point, int)
    return zero_point, _number(fields, f"{prefix}lowest"), _number(fields, f"{prefix}highest")


def _records(call: KernelCall, channels: int) -> Array:
    """Bias, multiplier and shift of every output channel: int32 [channel, 3]."""
    columns = [_constant(call, role).astype(np.int32) for role in ("bias", "multipliers", "shifts")]
    return np.stack([np.broadcast_to(column, (channels,)) for column in columns], axis=1)


def _product(
    node: Node, call: KernelCall, kind: Kind, tensors: tuple[Tensor, Tensor], window: Window, weights: Array
) -> Layer:
    """A product whose weights are [output channel, what the channel has]."""
    records, fields = _records(call, len(weights)), _fields(call)

    def parameters(begin: int, end: int) -> bytes:
        own = weights[begin:end]
        ordered = own.T if kind is Kind.DEPTHWISE else own
        return records[begin:end].astype("<i4").tobytes() + np.ascontiguousarray(ordered).tobytes()

    source, made = tensors
    return Layer(
        name=node.name,
        kind=kind,
        inputs=(source,),
        output=made,
        window=window,
        channel_bytes=12 + weights.shape[1],
        parameters=parameters,
        output_word=output_word(_pad_value(fields), *_bounds(fields)),
        rounding=_number(fields, "output.rounding"),
        macs=made.rows * made.columns * weights.size,
    )


def _pad_value(fields: Fields) -> int:
    value = fields.get("input_zero_point", 0)
    assert isinstance(value, int)
    return value


def _convolution(node: Node, call: KernelCall, site: Site) -> Layer | None:
    shape = node.inputs[0].type.shape
    fields = _fields(call)
    if shape[0] != 1 or fields["groups"] != 1:
        return None
    weights = symmetric_weights(node, site)
    tensors = _image(node.inputs[0].name, shape), _image(node.output.name, node.output.type.shape)
    return _product(node, call, Kind.CONV2D, tensors, _window(fields), weights.reshape(len(weights), -1))


def _depthwise(node: Node, call: KernelCall, site: Site) -> Layer | None:
    shape = node.inputs[0].type.shape
    if shape[0] != 1:
        return None
    weights = symmetric_weights(node, site)
    tensors = _image(node.inputs[0].name, shape), _image(node.output.name, node.output.type.shape)
    return _product(
        node, call, Kind.DEPTHWISE, tensors, _window(_fields(call)), weights.reshape(-1, weights.shape[2]).T
    )


def _dense(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """Also the convolution of a single pixel, which is a dense layer over pixels."""
    weights = symmetric_weights(node, site)
    tensors = (
        _matrix(node.inputs[0].name, node.inputs[0].type.shape),
        _matrix(node.output.name, node.output.type.shape),
    )
    return _product(node, call, Kind.FULLY_CONNECTED, tensors, Window(), weights.reshape(len(weights), -1))


def _without_parameters(begin: int, end: int) -> bytes:
    return b""


def _fixed(data: bytes) -> Callable[[int, int], bytes]:
    return lambda begin, end: data


def _max_pool(node: Node, call: KernelCall, site: Site) -> Layer | None:
    shape = node.inputs[0].type.shape
    if shape[0] != 1:
        return None
    tensors = _image(node.inputs[0].name, shape), _image(node.output.name, node.output.type.shape)
    word = output_word(0, 0, -128, 127)
    window = _window(_fields(call))
    return Layer(node.name, Kind.MAX_POOL, tensors[:1], tensors[1], window, 0, _without_parameters, word, 0)


def _average_pool(node: Node, call: KernelCall, site: Site) -> Layer | None:
    shape = node.inputs[0].type.shape
    if shape[0] != 1:
        return None
    fields = _fields(call)
    pairs = np.stack([_constant(call, role).astype("<i4") for role in ("multipliers", "shifts")], axis=1)
    tensors = _image(node.inputs[0].name, shape), _image(node.output.name, node.output.type.shape)
    word = output_word(_pad_value(fields), *_bounds(fields))
    rounding = _number(fields, "output.rounding") | _number(fields, "output.per_channel") << 8
    parameters = _fixed(pairs.tobytes())
    return Layer(node.name, Kind.AVERAGE_POOL, tensors[:1], tensors[1], _window(fields), 0, parameters, word, rounding)


def _mean(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """The mean over an image is an average under a window as large as it."""
    shape = node.inputs[0].type.shape
    assert isinstance(node.op, ReduceMean)
    if len(shape) != 4 or shape[0] != 1 or {axis % 4 for axis in node.op.axes} != {1, 2}:
        return None
    fields = _fields(call)
    scale = np.array([_number(fields, "multiplier"), _number(fields, "shift")], "<i4")
    if not 1 <= scale[1] <= 62:
        return None
    word = output_word(_pad_value(fields), *_bounds(fields, ""))
    source, made = _image(node.inputs[0].name, shape), Tensor(node.output.name, 1, 1, shape[3])
    window, rounding = Window((shape[1], shape[2])), _number(fields, "rounding")
    return Layer(node.name, Kind.AVERAGE_POOL, (source,), made, window, 0, _fixed(scale.tobytes()), word, rounding)


def _sum(node: Node, call: KernelCall, site: Site) -> Layer | None:
    a, b, made = (*node.inputs, node.output)
    if not a.type.shape == b.type.shape == made.type.shape or a.name == b.name:
        return None
    fields, elements = _fields(call), made.type.elements
    twice = "a_right" in fields
    return Layer(
        name=node.name,
        kind=Kind.ADD,
        inputs=(_bytes(a.name, elements), _bytes(b.name, elements)),
        output=_bytes(made.name, elements),
        window=Window(),
        channel_bytes=0,
        parameters=_without_parameters,
        output_word=output_word(0, *_bounds(fields, "")),
        rounding=int(twice),
        sum_words=sum_words({name: value for name, value in fields.items() if isinstance(value, int)}),
    )


def _table(node: Node, call: KernelCall, site: Site) -> Layer | None:
    table, elements = _constant(call, "table"), node.output.type.elements
    if node.inputs[0].type.dtype.size_bytes != 1 or table.size != 256:
        return None
    source, made = _bytes(node.inputs[0].name, elements), _bytes(node.output.name, elements)
    return Layer(node.name, Kind.REQUANTISE, (source,), made, Window(), 0, _fixed(table.tobytes()), 0, 0)


_MAKERS: Mapping[str, Callable[[Node, KernelCall, Site], Layer | None]] = {
    "stw_conv2d_s8": _convolution,
    "stw_depthwise_conv2d_s8": _depthwise,
    "stw_fully_connected_s8": _dense,
    "stw_max_pool2d_s8": _max_pool,
    "stw_average_pool2d_s8": _average_pool,
    "stw_reduce_mean_s8": _mean,
    "stw_add_s8": _sum,
    "stw_add_tflite_s8": _sum,
    "stw_table_u8": _table,
}


def _is_in_range(layer: Layer) -> bool:
    """Whether every extent fits its field."""
    window = layer.window
    small = (*window.kernel, *window.strides, *window.dilations, *window.pads)
    if layer.kind in (Kind.ADD, Kind.REQUANTISE):
        return True
    large = [
        extent for tensor in (*layer.inputs, layer.output) for extent in (tensor.rows, tensor.columns, tensor.channels)
    ]
    return max(small) <= _MOST_WINDOW and max(large) <= _MOST_EXTENT


def renamed(layer: Layer, names: Mapping[str, str]) -> Layer:
    """The layer on the tensors whose bytes its own are."""

    def stored(tensor: Tensor) -> Tensor:
        return replace(tensor, name=names.get(tensor.name, tensor.name))

    return replace(layer, inputs=tuple(stored(tensor) for tensor in layer.inputs), output=stored(layer.output))
