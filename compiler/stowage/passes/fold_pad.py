# SPDX-License-Identifier: Apache-2.0
"""A Pad of height and width goes into the convolution or pooling after it, where that pads with the same value."""

from __future__ import annotations

import math
from dataclasses import replace

from stowage.ir.graph import Arithmetic, Node
from stowage.ir.ops.movement import Pad
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.quantised_clamp import quantise_real, quantised_bounds
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite

Pads = tuple[int, int, int, int]
Windowed = Conv2d | DepthwiseConv2d | AveragePool2d | MaxPool2d


def _fold(editor: GraphEditor, node: Node) -> bool:
    pad = editor.maker(node.inputs[0]) if node.inputs else None
    if pad is None or not isinstance(pad.op, Pad) or pad.op.mode != "constant":
        return False
    if not isinstance(node.op, Windowed) or not _is_around_image(pad.op):
        return False
    pads = _sum(pad.op, node.op.pads)
    if not _suits(editor, pad, pad.op, node.op, pads):
        return False
    op: Windowed = replace(node.op, pads=pads)
    if isinstance(op, AveragePool2d):
        op = replace(op, count_include_pad=True)
    editor.put(replace(node, op=op, inputs=(pad.inputs[0], *node.inputs[1:])))
    return True


def _suits(editor: GraphEditor, node: Node, pad: Pad, window: Windowed, pads: Pads) -> bool:
    """Whether the operator with `pads` makes of the image what it makes of the padded one."""
    if isinstance(window, MaxPool2d):
        return _never_wins(editor, node, pad) and _every_window_sees_the_image(window, pads)
    if isinstance(window, AveragePool2d) and editor.arithmetic is Arithmetic.TFLITE:
        return False  # TFLite averages bare integers, of which padding has none
    counted = not isinstance(window, AveragePool2d) or window.count_include_pad or not any(window.pads)
    return counted and _is_zero(node, pad)


def _is_around_image(pad: Pad) -> bool:
    outside = (pad.before[0], pad.after[0], pad.before[3], pad.after[3])
    return not any(outside) and min(*pad.before, *pad.after) >= 0


def _sum(pad: Pad, pads: Pads) -> Pads:
    return (
        pads[0] + pad.before[1],
        pads[1] + pad.before[2],
        pads[2] + pad.after[1],
        pads[3] + pad.after[2],
    )


def _is_zero(node: Node, pad: Pad) -> bool:
    type_ = node.output.type
    if type_.quant is None or type_.quant.axis is not None:
        return pad.value == 0
    return quantise_real(pad.value, type_) == type_.quant.zero_point


def _never_wins(editor: GraphEditor, node: Node, pad: Pad) -> bool:
    """Whether no element of the image is less than the padding."""
    type_, maker = node.inputs[0].type, editor.maker(node.inputs[0])
    clamp = None if maker is None else getattr(maker.op, "clamp", None)
    if type_.quant is not None and type_.quant.axis is None:
        return quantise_real(pad.value, type_) <= quantised_bounds(clamp, type_)[0]
    return pad.value <= (-math.inf if clamp is None else clamp[0])


def _every_window_sees_the_image(op: MaxPool2d, pads: Pads) -> bool:
    reach = [(kernel - 1) * dilation for kernel, dilation in zip(op.kernel, op.dilations, strict=True)]
    return max(pads[0], pads[2]) <= reach[0] and max(pads[1], pads[3]) <= reach[1]


FOLD_PAD = Pass("fold_pad", lambda graph: rewrite(graph, _fold))
