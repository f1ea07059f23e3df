# SPDX-License-Identifier: Apache-2.0
"""Operands that broadcast get leading extents of one, so that all operands of a sum or product have one rank."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Node, Value
from stowage.ir.ops.movement import Reshape
from stowage.passes.axis_rules import BINARY
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite


def _align(editor: GraphEditor, node: Node) -> bool:
    rank = len(node.outputs[0].type.shape)
    if not isinstance(node.op, BINARY) or all(len(value.type.shape) == rank for value in node.inputs):
        return False
    if any(value.type.quant is not None and value.type.quant.axis is not None for value in node.inputs):
        return False
    editor.put(replace(node, inputs=tuple(_of_rank(editor, value, rank) for value in node.inputs)))
    return True


def _of_rank(editor: GraphEditor, value: Value, rank: int) -> Value:
    shape = value.type.shape
    if len(shape) == rank:
        return value
    return editor.add(f"{value.name}.aligned", Reshape((1,) * (rank - len(shape)) + shape), (value,))


ALIGN_RANKS = Pass("align_ranks", lambda graph: rewrite(graph, _align))
