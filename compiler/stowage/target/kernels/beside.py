# SPDX-License-Identifier: Apache-2.0
"""A layer beside a tensor in each pixel: conv2d_beside.h and its like, made of the layer's own call."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from stowage.ir.graph import Node, Value
from stowage.ir.ops.beside import (
    AveragePool2dBeside,
    Beside,
    Conv2dBeside,
    ConvTranspose2dBeside,
    FullyConnectedBeside,
    MaxPool2dBeside,
)
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import AveragePool2d, Conv2d, MaxPool2d
from stowage.target.kernels.kernel import FORWARD, Argument, Direction, KernelCall, Overlap, ParameterValue, Place

_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "stw_conv2d_f32": "conv2d",
        "stw_conv2d_s8": "conv2d",
        "stw_conv_transpose_f32": "conv_transpose",
        "stw_conv_transpose2d_s8": "conv_transpose",
        "stw_fully_connected_f32": "fully_connected",
        "stw_fully_connected_s8": "fully_connected",
        "stw_max_pool2d_f32": "max_pool2d",
        "stw_max_pool2d_s8": "max_pool2d",
        "stw_average_pool2d_f32": "average_pool2d",
        "stw_average_pool2d_s8": "average_pool2d",
    }
)
"""Kernels that can make their pixels as parts of wider ones, each with the family of its header."""

_GAPS_FOLLOW = ("window.pad_left", "volume.pad", "channels")
"""The fields before `output_gap`, of which each kernel has one."""

Fields = tuple[tuple[str, ParameterValue], ...]


def can_lie_beside(node: Node, call: KernelCall) -> bool:
    """Whether there is a kernel that makes a node's output beside another tensor."""
    kinds = Conv2d | ConvTranspose2d | FullyConnected | MaxPool2d | AveragePool2d
    return call.function in _HEADERS and isinstance(node.op, kinds)


def node_beside(node: Node, kept: Value, whole: Value, *, made_first: bool) -> Node:
    """The node that makes `whole` of what a node makes, which can lie beside something, and what is kept."""
    return Node(node.name, _op_beside(node.op, made_first), (*node.inputs, kept), (whole,))


def _op_beside(op: Op, made_first: bool) -> Beside:
    match op:
        case Conv2d():
            return Conv2dBeside(op, made_first)
        case ConvTranspose2d():
            return ConvTranspose2dBeside(op, made_first)
        case FullyConnected():
            return FullyConnectedBeside(op, made_first)
        case MaxPool2d():
            return MaxPool2dBeside(op, made_first)
        case AveragePool2d():
            return AveragePool2dBeside(op, made_first)
    raise AssertionError(f"{op.mnemonic} lies beside nothing")


def call_beside(node: Node, call: KernelCall) -> KernelCall:
    """The call for such a node.

    Args:
        node: of `node_beside`.
        call: that of the node alone, which can lie beside something.
    """
    kernel, suffix = call.function.rsplit("_", 1)
    *arguments, output = call.arguments
    return KernelCall(
        header=f"stowage/kernels/{_HEADERS[call.function]}_beside.h",
        function=f"{kernel}_beside_{suffix}",
        parameters=(*_made_fields(node, call), *_beside_fields(node), FORWARD),
        arguments=(*arguments, Argument(Place.INPUT, len(node.inputs) - 1, output.ctype), output),
        constants=call.constants,
        scratch_bytes=call.scratch_bytes,
        scratch_alignment_bytes=call.scratch_alignment_bytes,
        overlaps=tuple(_overlaps(node)),
    )


def _made_fields(node: Node, call: KernelCall) -> Iterator[tuple[str, ParameterValue]]:
    for name, value in call.parameters:
        yield f"made.{name}", value
        if name in _GAPS_FOLLOW:
            gap = f"{name.rpartition('.')[0]}.output_gap".removeprefix(".")
            yield f"made.{gap}", _kept_channels(node)


def _beside_fields(node: Node) -> Fields:
    assert isinstance(node.op, Beside)
    made, kept = _made_channels(node), _kept_channels(node)
    element = node.output.type.dtype.size_bytes
    return (
        ("beside.pixels", _pixels(node)),
        ("beside.kept_bytes", kept * element),
        ("beside.made_bytes", made * element),
        ("beside.kept_at", made * element if node.op.made_first else 0),
        ("beside.made_at", 0 if node.op.made_first else kept),
    )


def _overlaps(node: Node) -> Iterator[Overlap]:
    """Over what is kept, whose last run is passed by what is made of all pixels, or of all but its own."""
    assert isinstance(node.op, Beside)
    made_bytes = _made_channels(node) * node.output.type.dtype.size_bytes
    for direction in Direction:
        beyond = node.op.made_first is (direction is Direction.FORWARD)
        yield Overlap(len(node.inputs) - 1, made_bytes * (_pixels(node) - (not beyond)), direction)


def _pixels(node: Node) -> int:
    return math.prod(node.output.type.shape[:-1])


def _kept_channels(node: Node) -> int:
    return node.inputs[-1].type.shape[-1]


def _made_channels(node: Node) -> int:
    return node.output.type.shape[-1] - _kept_channels(node)
