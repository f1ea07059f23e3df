# SPDX-License-Identifier: Apache-2.0
"""Weights of nine bits as the sum of two of eight: every channel of the input comes twice, once for each.

That is exact, and all in the kernels that there are; it takes twice the bytes and twice the multiplications.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Node, Value
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Concat, Reshape
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d
from stowage.passes.editor import GraphEditor

_LARGEST = 254
Weights = NDArray[np.int16]


def put_halves(editor: GraphEditor, node: Node, centred: Weights) -> bool:
    """Puts the layer with halved weights in its place, if it is one that has a single scale and no groups.

    Args:
        editor: of the graph.
        node: a layer of quantised integers.
        centred: its weights without their zero point.
    """
    quant = node.inputs[1].type.quant
    if quant is None or quant.axis is not None or np.abs(centred).max(initial=0) > _LARGEST:
        return False
    made = _doubled(editor, node, centred)
    if made is None:
        return False
    op, data, weights = made
    symmetric = replace(quant, zero_points=(0,))
    stored = editor.add_constant(node.inputs[1].name, weights, symmetric)
    editor.put(replace(node, op=op, inputs=(data, stored, *node.inputs[2:])))
    return True


def _doubled(
    editor: GraphEditor, node: Node, centred: Weights
) -> tuple[FullyConnected | Conv2d, Value, NDArray[np.int8]] | None:
    """The operator, its input with every channel twice, and the weights for it."""
    first = np.clip(centred, -127, 127)
    halves = [half.astype(np.int8) for half in (first, centred - first)]
    match node.op:
        case FullyConnected() | Conv2d(groups=1) as op:
            data = editor.add(f"{node.name}.twice", Concat(_last(node)), (node.inputs[0],) * 2, f"{node.name}.twice")
            return op, data, np.concatenate(halves, axis=-1)
        case DepthwiseConv2d(strides, pads, dilations, clamp) as layer:
            channels = node.inputs[0].type.shape[3]
            conv = Conv2d(strides, pads, dilations, channels, clamp)
            assert isinstance(layer, DepthwiseConv2d)
            return conv, _interleaved(editor, node), np.moveaxis(np.stack(halves, axis=-1), 2, 0)
    return None


def _last(node: Node) -> int:
    return len(node.inputs[0].type.shape) - 1


def _interleaved(editor: GraphEditor, node: Node) -> Value:
    """[N, H, W, C] as [N, H, W, 2 * C], each channel next to its twin."""
    data = node.inputs[0]
    *image, channels = data.type.shape
    lone = editor.add(f"{node.name}.lone", Reshape((*image, channels, 1)), (data,), f"{node.name}.lone")
    pairs = editor.add(f"{node.name}.pairs", Concat(4), (lone, lone), f"{node.name}.pairs")
    shape = (*image, 2 * channels)
    return editor.add(f"{node.name}.twice", Reshape(shape), (pairs,), f"{node.name}.twice")
