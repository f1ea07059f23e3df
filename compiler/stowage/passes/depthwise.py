# SPDX-License-Identifier: Apache-2.0
"""A convolution with one input channel a group becomes a DepthwiseConv2d, with weights that lie as the image does."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Node
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d
from stowage.passes.editor import GraphEditor
from stowage.passes.frozen import frozen, moved
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite


def _specialise(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, Conv2d) or node.op.groups == 1 or node.op.groups != node.inputs[0].type.shape[3]:
        return False
    if any(frozen(editor, bias) is None for bias in node.inputs[2:]):
        return False
    weights = node.inputs[1]
    for move in (Reshape(weights.type.shape[:3]), Transpose((1, 2, 0))):
        known = frozen(editor, weights)
        if known is None:
            return False
        weights = moved(editor, known, move, known.stored.name)
    op = DepthwiseConv2d(node.op.strides, node.op.pads, node.op.dilations, node.op.clamp)
    editor.put(replace(node, op=op, inputs=(node.inputs[0], weights, *node.inputs[2:])))
    return True


DEPTHWISE = Pass("depthwise", lambda graph: rewrite(graph, _specialise))
