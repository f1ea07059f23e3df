# SPDX-License-Identifier: Apache-2.0
"""Cross-layer equalisation: channels between two layers are made about equally wide, so that one scale suits them all.

A gain on an output channel of the first layer is undone in the weights of the second. Nothing but rounding changes if
what stands between them commutes with positive gains: a ReLU, padding with zeros, pooling. A depthwise layer has a
scale of its own for each channel, so its weights take any gain; a dense one has to share them out: its gains are the
square root (Nagel et al., Data-Free Quantization, 2019, with the activations that were seen in place of the first
layer's weights, whose channels have scales of their own). Gains are taken from a coarse grid, so that they do not hang
on the last digit of what was seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Pad
from stowage.ir.ops.window import AveragePool2d, Conv2d, MaxPool2d
from stowage.passes.editor import GraphEditor
from stowage.quantise.observe import Observation

Floats = NDArray[np.float64]

_LARGEST_GAIN = 64.0
_GRID = 4
"""Gains to a factor of two."""
_POSITIVE = (0.0, math.inf)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two layers and the gains of the channels between them."""

    first: str
    second: str
    gains: Floats


def pairs(graph: Graph, seen: Mapping[str, Observation]) -> list[Pair]:
    """The pairs of layers of a float graph that can be equalised; layers by the names of their outputs."""
    editor = GraphEditor(graph)
    found = ((node, _second(editor, node)) for node in graph.nodes if _is_layer(editor, node))
    return [
        Pair(first.output.name, second.output.name, _gains(editor, seen[first.output.name].largest, second))
        for first, second in found
        if second is not None and getattr(first.op, "clamp", None) in (None, _POSITIVE)
    ]


def equalised(graph: Graph, found: list[Pair]) -> Graph:
    """The graph with the gains of the pairs in its weights and biases."""
    editor = GraphEditor(graph)
    for pair in found:
        first, second = editor.node(pair.first), editor.node(pair.second)
        assert first is not None and second is not None
        scaled = (first.inputs[0], *(_scaled(editor, value, pair.gains, 0) for value in first.inputs[1:]))
        editor.put(replace(first, inputs=scaled))
        by_weight = _by_weight(second, pair.gains)
        weights = _scaled(editor, second.inputs[1], 1 / by_weight, None)
        editor.put(replace(second, inputs=(second.inputs[0], weights, *second.inputs[2:])))
    return editor.finish()


def _is_layer(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, Conv2d | FullyConnected):
        return False
    return all(editor.constant(value) is not None for value in node.inputs[1:])


def _second(editor: GraphEditor, first: Node) -> Node | None:
    """The layer that alone reads what a layer makes."""
    user = editor.sole_user(first.output)
    while user is not None and _commutes_with_gains(user):
        user = editor.sole_user(user.output)
    return user if user is not None and _is_layer(editor, user) and _reads_channels(user, first) else None


def _commutes_with_gains(node: Node) -> bool:
    if isinstance(node.op, Pad):
        return node.op.mode != "constant" or node.op.value == 0
    clamp = getattr(node.op, "clamp", None)
    return isinstance(node.op, MaxPool2d | AveragePool2d) and clamp in (None, _POSITIVE)


def _reads_channels(second: Node, first: Node) -> bool:
    same_channels = second.inputs[0].type.shape[-1:] == first.output.type.shape[-1:]
    return same_channels and (not isinstance(second.op, Conv2d) or second.op.groups == 1 or _is_depthwise(second))


def _is_depthwise(layer: Node) -> bool:
    return isinstance(layer.op, Conv2d) and layer.op.groups == layer.inputs[0].type.shape[-1]


def _gains(editor: GraphEditor, largest: Floats, second: Node) -> Floats:
    """Gains for channels whose elements reach `largest`."""
    weights = editor.constant(second.inputs[1])
    assert weights is not None
    if _is_depthwise(second):
        wished = largest.max() / np.where(largest > 0, largest, np.inf)
    else:
        reach = np.abs(weights.astype(np.float64)).max(axis=tuple(range(weights.ndim - 1)))
        wished = np.sqrt(reach / np.where(largest > 0, largest, np.inf))
    wished = np.where(wished > 0, wished, 1.0)
    middle = np.exp(np.log(wished).mean())
    gains = np.clip(wished / middle, 1 / _LARGEST_GAIN, _LARGEST_GAIN)
    return np.asarray(2.0 ** (np.rint(_GRID * np.log2(gains)) / _GRID))


def _by_weight(second: Node, gains: Floats) -> Floats:
    """The gain of the channel that each of the second layer's weights meets, broadcastable to these."""
    if not _is_depthwise(second):
        return gains
    outputs = second.inputs[1].type.shape[0]
    return np.repeat(gains, outputs // len(gains)).reshape(-1, 1, 1, 1)


def _scaled(editor: GraphEditor, value: Value, factors: Floats, axis: int | None) -> Value:
    array = editor.constant(value)
    assert array is not None
    along = factors if axis is None else factors.reshape([-1 if k == axis else 1 for k in range(array.ndim)])
    return editor.add_constant(value.name, (array.astype(np.float64) * along).astype(array.dtype))
