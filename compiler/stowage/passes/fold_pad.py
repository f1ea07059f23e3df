# SPDX-License-Identifier: Apache-2.0
"""A Pad of height and width goes into the convolution or pooling after it, where that pads with the same value.

Also where a Reshape lies between: on images of one channel the importer's Transposes are Reshapes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.movement import Pad, Reshape
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.quantised_clamp import quantise_real, quantised_bounds
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite

Pads = tuple[int, int, int, int]
Windowed = Conv2d | DepthwiseConv2d | AveragePool2d | MaxPool2d


def _fold(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, Windowed):
        return False
    padded = _padded(editor, node.inputs[0])
    if padded is None or padded.op.mode != "constant" or not _is_around_image(padded.op):
        return False
    pads = _sum(padded.op, node.op.pads)
    if not _suits(editor, padded.node, padded.op, node.op, pads):
        return False
    op: Windowed = replace(node.op, pads=pads)
    if isinstance(op, AveragePool2d):
        op = replace(op, count_include_pad=True)
    editor.put(replace(node, op=op, inputs=(_image(editor, padded), *node.inputs[1:])))
    return True


@dataclass(frozen=True, slots=True)
class _Padded:
    """A padded image.

    Attributes:
        node: what pads it.
        op: the same along the axes of the padded image as it is read.
        reshape: what gives it these axes, if that is not the Pad itself.
    """

    node: Node
    op: Pad
    reshape: Node | None = None


def _padded(editor: GraphEditor, value: Value) -> _Padded | None:
    maker = editor.maker(value)
    if maker is not None and isinstance(maker.op, Pad):
        return _Padded(maker, maker.op)
    if maker is None or not isinstance(maker.op, Reshape):
        return None
    pad = editor.maker(maker.inputs[0])
    op = None if pad is None else _reshaped(pad, value.type.shape)
    return None if pad is None or op is None else _Padded(pad, op, maker)


def _reshaped(node: Node, shape: tuple[int, ...]) -> Pad | None:
    """The padding of a Pad along the axes of its output in another shape; None where an axis has no like there."""
    if not isinstance(node.op, Pad) or 0 in shape:
        return None
    before, after = [0] * len(shape), [0] * len(shape)
    for axis, pads in enumerate(zip(node.op.before, node.op.after, strict=True)):
        if any(pads):
            like = _same_axis(node.output.type.shape, axis, shape)
            if like is None:
                return None
            before[like], after[like] = pads
    return replace(node.op, before=tuple(before), after=tuple(after))


def _same_axis(shape: tuple[int, ...], axis: int, other: tuple[int, ...]) -> int | None:
    """The axis that goes over the same elements in another shape of them, in the same steps."""
    extent, step = shape[axis], math.prod(shape[axis + 1 :])
    found = (k for k, each in enumerate(other) if each == extent > 1 and math.prod(other[k + 1 :]) == step)
    return next(found, None)


def _image(editor: GraphEditor, padded: _Padded) -> Value:
    """The image without its padding, in the shape in which it is read."""
    (source,) = padded.node.inputs
    if padded.reshape is None:
        return source
    around = zip(padded.reshape.output.type.shape, padded.op.before, padded.op.after, strict=True)
    shape = tuple(extent - before - after for extent, before, after in around)
    return editor.add(padded.reshape.name, Reshape(shape), (source,))


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
