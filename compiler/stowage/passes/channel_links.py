# SPDX-License-Identifier: Apache-2.0
"""Which channels of a node's operands go with which of its output. Channels are a tensor's last axis.

An operator either keeps channels apart (*parallel*: output channel j is made of certain channels of its operands
alone), or *mixes* them by constant weights, or does neither: then it needs all there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Node
from stowage.ir.ops.combination import NumberCombination
from stowage.ir.ops.elementwise import Add, Dequantize, Div, Mul, Quantize, Sub, Table
from stowage.ir.ops.function import NumberFunction
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Concat, Pad, Reshape, Resize, Slice, Transpose
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import ReduceMean
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.tensor_type import TensorType

Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]
Sources = tuple[Indices | None, ...]

ABSENT = -1
"""In place of a channel: the output channel is not made of that operand."""


@dataclass(frozen=True, slots=True)
class Parallel:
    """A node that keeps channels apart.

    Attributes:
        sources: for each operand the channel of it that goes with each output channel, or ABSENT; None for an operand
            that goes with all of them alike.
    """

    sources: Sources


@dataclass(frozen=True, slots=True)
class Mixing:
    """A convolution of one group or a dense layer: its output channels are rows of its weights."""


Link = Parallel | Mixing | None
"""None: the node needs every channel of its operands, and makes every one of its output."""


def channels_of(type_: TensorType) -> int:
    """Extent of the last axis; a scalar has one channel."""
    return type_.shape[-1] if type_.shape else 1


def link_of(node: Node, constants: Callable[[str], bool]) -> Link:
    """How a node's channels go together.

    Args:
        node: any node.
        constants: whether the value of a name is constant.
    """
    data = [value for value in (*node.inputs, *node.outputs) if not constants(value.name)]
    if len(node.outputs) != 1 or any(value.type.quant and value.type.quant.axis is not None for value in data):
        return None
    if not all(value.type.elements for value in (*node.inputs, *node.outputs)):
        return None
    if isinstance(node.op, Conv2d | DepthwiseConv2d | FullyConnected):
        if not all(constants(value.name) for value in node.inputs[1:]) or getattr(node.op, "groups", 1) != 1:
            return None
        if not isinstance(node.op, DepthwiseConv2d):
            return Mixing()
    rule = next((rule for kind, rule in _RULES.items() if isinstance(node.op, kind)), None)
    sources = None if rule is None or not node.output.type.shape else rule(node)
    return None if sources is None else Parallel(sources)


def _each(node: Node) -> Indices:
    return np.arange(channels_of(node.output.type))


def _alone(node: Node) -> Sources:
    return (_each(node),)


def _look_up(node: Node) -> Sources:
    return _each(node), None


def _broadcast(node: Node) -> Sources:
    each = _each(node)
    return tuple(each if channels_of(value.type) == each.size else None for value in node.inputs)


def _depthwise(node: Node) -> Sources:
    each = _each(node)
    return each // (each.size // channels_of(node.inputs[0].type)), *(each for _ in node.inputs[1:])


def _reshape(node: Node) -> Sources | None:
    """Channels stay, or pixels are laid side by side."""
    each, channels = _each(node), channels_of(node.inputs[0].type)
    return None if each.size % channels else (each % channels,)


def _transpose(node: Node) -> Sources | None:
    last = len(node.op.permutation) - 1  # type: ignore[attr-defined]
    return _alone(node) if node.op.permutation[last] == last else None  # type: ignore[attr-defined]


def _pad(node: Node) -> Sources | None:
    return _alone(node) if node.op.before[-1] == node.op.after[-1] == 0 else None  # type: ignore[attr-defined]


def _mean(node: Node) -> Sources | None:
    return _alone(node) if len(node.inputs[0].type.shape) - 1 not in node.op.axes else None  # type: ignore[attr-defined]


def _slice(node: Node) -> Sources | None:
    first, step = node.op.begins[-1], node.op.steps[-1]  # type: ignore[attr-defined]
    return (first + _each(node),) if step == 1 else None


def _concat(node: Node) -> Sources:
    each = _each(node)
    if node.op.axis != len(node.output.type.shape) - 1:  # type: ignore[attr-defined]
        return (each,) * len(node.inputs)
    sources, first = [], 0
    for value in node.inputs:
        own = each - first
        sources.append(np.where((own >= 0) & (own < channels_of(value.type)), own, ABSENT))
        first += channels_of(value.type)
    return tuple(sources)


_RULES: Mapping[type[Op] | tuple[type[Op], ...], Callable[[Any], Sources | None]] = {
    (Add, Sub, Mul, Div, NumberCombination): _broadcast,
    (AveragePool2d, Dequantize, MaxPool2d, NumberFunction, Quantize, Resize): _alone,
    Concat: _concat,
    DepthwiseConv2d: _depthwise,
    Pad: _pad,
    ReduceMean: _mean,
    Reshape: _reshape,
    Slice: _slice,
    Table: _look_up,
    Transpose: _transpose,
}
