# SPDX-License-Identifier: Apache-2.0
"""Relu and Clip go into the clamp of the operator before, and vanish where saturation clamps as much anyway.

Integers can be clamped before they are stored only if the activation keeps their quantisation; other ones are left,
to become tables.
"""

from __future__ import annotations

import math
from dataclasses import replace

from stowage.ir.graph import Node
from stowage.ir.ops.elementwise import Add, Clip, Div, Mul, Relu, Sub
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.ir.ops.transposed import ConvTranspose2d, ConvTranspose3d
from stowage.ir.ops.volume import Conv3d
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.quantised_clamp import integer_range, quantised_bounds
from stowage.ir.tensor_type import TensorType
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite

Clamp = tuple[float, float]
_LAYERS = (Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d, DepthwiseConv2d, FullyConnected)
_CLAMPING = (*_LAYERS, Add, Sub, Mul, Div, AveragePool2d)
_ORDERED = (MaxPool2d, Reshape, Transpose)
"""Operators that an activation may be moved before: it is monotonic and treats each element alike."""


def clamp_of(node: Node) -> Clamp | None:
    """(lowest, highest) of an activation that only clamps."""
    if isinstance(node.op, Relu):
        return 0.0, math.inf
    return (node.op.lowest, node.op.highest) if isinstance(node.op, Clip) else None


def narrowed(first: Clamp | None, then: Clamp) -> Clamp:
    """The one clamp that does what `first` and `then` do one after the other."""
    if first is None:
        return then
    lowest, highest = then
    return min(max(first[0], lowest), highest), min(max(first[1], lowest), highest)


def _stands_for_reals(type_: TensorType) -> bool:
    return type_.dtype.is_float or (type_.quant is not None and type_.quant.axis is None)


def _vanish(editor: GraphEditor, node: Node) -> bool:
    clamp = clamp_of(node)
    if clamp is None or node.inputs[0].type != node.output.type or node.output.type.quant is None:
        return False
    idle = quantised_bounds(clamp, node.output.type) == integer_range(node.output.type.dtype)
    if not idle or not editor.can_replace(node.output, node.inputs[0]):
        return False
    editor.replace(node.output, node.inputs[0])
    return True


def _fuse(editor: GraphEditor, node: Node) -> bool:
    clamp, maker = clamp_of(node), editor.maker(node.inputs[0]) if node.inputs else None
    if clamp is None or maker is None or not isinstance(maker.op, _CLAMPING) or clamp[0] > clamp[1]:
        return False
    data = node.inputs[0]
    if editor.sole_user(data) != node or data.type != node.output.type or not _stands_for_reals(data.type):
        return False
    op = replace(maker.op, clamp=narrowed(maker.op.clamp, clamp))
    editor.put(replace(maker, op=op, outputs=node.outputs))
    return True


def _move_before(editor: GraphEditor, node: Node) -> bool:
    maker = editor.maker(node.inputs[0]) if clamp_of(node) is not None else None
    if maker is None or not isinstance(maker.op, _ORDERED) or editor.sole_user(node.inputs[0]) != node:
        return False
    before, origin = maker.inputs[0], editor.maker(maker.inputs[0])
    if node.inputs[0].type != node.output.type or origin is None or not isinstance(origin.op, (*_CLAMPING, *_ORDERED)):
        return False
    if editor.sole_user(before) != maker:
        return False
    clamped = editor.add(node.name, node.op, (before,), f"{before.name}.clamped", before.type.quant)
    editor.put(replace(maker, inputs=(clamped,), outputs=node.outputs))
    return True


def _drop_idle_clamp(editor: GraphEditor, node: Node) -> bool:
    clamp = getattr(node.op, "clamp", None)
    if clamp is None or node.output.type.quant is None:
        return False
    if quantised_bounds(clamp, node.output.type) != integer_range(node.output.type.dtype):
        return False
    editor.put(replace(node, op=replace(node.op, clamp=None)))  # type: ignore[type-var]
    return True


FUSE_ACTIVATION = Pass("fuse_activation", lambda graph: rewrite(graph, _vanish, _fuse, _move_before, _drop_idle_clamp))
