# SPDX-License-Identifier: Apache-2.0
"""A Reshape goes behind the functions of each element that follow it, so that these stand next to their layer."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Node
from stowage.ir.ops import elementwise
from stowage.ir.ops.function import NumberFunction
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import BatchNormalization
from stowage.ir.ops.truth import TruthFunction
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.reshape_blocks import blocks_of
from stowage.passes.rewrite import rewrite

_EACH_ELEMENT = (
    NumberFunction,
    TruthFunction,
    elementwise.Cast,
    elementwise.Table,
)


def _sink(editor: GraphEditor, node: Node) -> bool:
    reshape = editor.maker(node.inputs[0]) if node.inputs else None
    if reshape is None or not isinstance(reshape.op, Reshape) or editor.sole_user(reshape.output) != node:
        return False
    op = _before_reshape(node, reshape)
    if op is None or editor.maker(reshape.inputs[0]) is None:
        return False
    first = editor.add(node.name, op, (reshape.inputs[0], *node.inputs[1:]), node.output.name, node.output.type.quant)
    editor.put(replace(reshape, inputs=(first,), outputs=node.outputs))
    return True


def _before_reshape(node: Node, reshape: Node) -> Op | None:
    """The operator as it is on the operand of the Reshape; None where it must stay behind."""
    if isinstance(node.op, _EACH_ELEMENT):
        return node.op
    if isinstance(node.op, elementwise.Quantize) and node.op.quant.axis is None:
        return node.op
    if not isinstance(node.op, BatchNormalization) or 0 in reshape.output.type.shape:
        return None
    for block in blocks_of(reshape.inputs[0].type.shape, reshape.output.type.shape):
        if block.after == (node.op.axis,) and len(block.before) == 1:
            return replace(node.op, axis=block.before[0])
    return None


SINK_RESHAPES = Pass("sink_reshapes", lambda graph: rewrite(graph, _sink))
