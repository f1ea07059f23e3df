# SPDX-License-Identifier: Apache-2.0
"""Batch normalisations, and other products and sums with a constant a channel, go into a neighbour's weights and bias.

The layer before takes them always; a convolution after one takes it where it has no padding (which would have to hold
the shift) or there is no shift. A batch normalisation that finds no neighbour becomes a Mul and an Add.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Add, Mul
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.reduction import BatchNormalization
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import Conv2d
from stowage.passes.affine import Affine, affine_of
from stowage.passes.editor import GraphEditor
from stowage.passes.frozen import Reals, frozen, with_gains
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite


def _into_layer_before(editor: GraphEditor, node: Node) -> bool:
    affine = affine_of(editor, node)
    layer = None if affine is None else editor.maker(affine.data)
    if (
        affine is None
        or layer is None
        or not isinstance(layer.op, Conv2d | ConvTranspose2d | FullyConnected)
        or layer.op.clamp is not None
    ):
        return False
    if editor.sole_user(layer.output) != node or affine.axis != len(node.output.type.shape) - 1:
        return False
    known, bias = frozen(editor, layer.inputs[1]), _bias(editor, layer)
    if known is None or bias is None:
        return False
    weights = layer.inputs[1]
    if np.any(affine.gains != 1):
        scaled = with_gains(editor, known, affine.gains, 0, known.stored.name)
        if scaled is None:
            return False
        weights = scaled
    _replace_layer(editor, node, layer, (layer.inputs[0], weights), bias * affine.gains + affine.shifts)
    return True


def _into_convolution_after(editor: GraphEditor, node: Node) -> bool:
    affine, layer = affine_of(editor, node), editor.sole_user(node.outputs[0])
    if affine is None or layer is None or not isinstance(layer.op, Conv2d) or layer.inputs[0] != node.output:
        return False
    known, bias = frozen(editor, layer.inputs[1]), _bias(editor, layer)
    padded = any(layer.op.pads) and np.any(affine.shifts != 0)
    if affine.axis != 3 or padded or known is None or known.dequantize is not None or bias is None:
        return False
    weights, taken = known.reals, _channels_taken(affine, layer.op, known.reals)
    shifts = (weights * taken.shifts).sum(axis=(1, 2, 3))
    scaled = (weights * taken.gains).astype(known.array.dtype)
    stored = editor.add_constant(known.stored.name, scaled)
    _replace_layer(editor, layer, layer, (affine.data, stored), bias + shifts)
    return True


def _channels_taken(affine: Affine, op: Conv2d, weights: Reals) -> Affine:
    """The gains and shifts that meet each weight of [O, KH, KW, I / groups]: those of its group's input channels."""
    outputs, taken = weights.shape[0], weights.shape[3]
    groups = np.arange(outputs) // (outputs // op.groups)
    channels = groups[:, None, None, None] * taken + np.arange(taken)
    return replace(affine, gains=affine.gains[channels], shifts=affine.shifts[channels])


def _bias(editor: GraphEditor, layer: Node) -> Reals | None:
    if len(layer.inputs) < 3:
        return np.zeros(layer.output.type.shape[-1])
    known = frozen(editor, layer.inputs[2])
    return None if known is None else known.reals


def _replace_layer(editor: GraphEditor, node: Node, layer: Node, inputs: tuple[Value, Value], bias: Reals) -> None:
    """Puts the layer with another bias in the place of `node`, keeping the layer's name."""
    name = layer.inputs[2].name if len(layer.inputs) == 3 else f"{layer.output.name}.bias"
    stored = editor.add_constant(name, bias.astype(layer.output.type.dtype.numpy))
    editor.put(replace(node, name=layer.name, op=layer.op, inputs=(*inputs, stored)))


def _spell_out(editor: GraphEditor, node: Node) -> bool:
    affine = affine_of(editor, node) if isinstance(node.op, BatchNormalization) else None
    if affine is None:
        return False
    along = [-1 if axis == affine.axis else 1 for axis in range(len(node.output.type.shape))]
    dtype = node.output.type.dtype.numpy
    gains = editor.add_constant(f"{node.output.name}.gains", affine.gains.reshape(along).astype(dtype))
    shifts = editor.add_constant(f"{node.output.name}.shifts", affine.shifts.reshape(along).astype(dtype))
    product = editor.add(f"{node.name}.gains", Mul(), (affine.data, gains))
    editor.put(replace(node, op=Add(), inputs=(product, shifts)))
    return True


FOLD_AFFINE = Pass(
    "fold_affine", lambda graph: rewrite(rewrite(graph, _into_layer_before, _into_convolution_after), _spell_out)
)
