# SPDX-License-Identifier: Apache-2.0
"""Nodes of which every operand is known at build time become constants.

Weights behind a Dequantize stay integers at first, moved under the Dequantize, so that quantise folding finds them;
those that it leaves to float kernels become float constants at the end.
"""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Array, Graph, Node
from stowage.ir.ops.elementwise import Dequantize
from stowage.ir.ops.movement import Reshape, Slice, Transpose
from stowage.ir.ops.op import ShapeError
from stowage.ir.tensor_type import TensorType
from stowage.passes.editor import GraphEditor
from stowage.passes.evaluate import evaluate
from stowage.passes.frozen import frozen, moved
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite

Known = list[tuple[TensorType, Array]]


def _move_under_dequantize(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, Reshape | Slice | Transpose):
        return False
    known = frozen(editor, node.inputs[0])
    if known is None or known.dequantize is None:
        return False
    try:
        value = moved(editor, known, node.op, known.stored.name)
    except ShapeError:
        return False
    editor.replace(node.output, value)
    return True


def _evaluate(editor: GraphEditor, node: Node) -> bool:
    arrays = [editor.constant(value) for value in node.inputs]
    known = [(value.type, array) for value, array in zip(node.inputs, arrays, strict=True) if array is not None]
    if not node.inputs or len(known) < len(node.inputs):
        return False
    if editor.is_output(node.output):
        return _copy_to_output(editor, node, known)
    editor.put_constant(node.output, evaluate(node.op, known, node.output.type, editor.arithmetic))
    return True


def _copy_to_output(editor: GraphEditor, node: Node, known: Known) -> bool:
    """An output of the graph cannot be a constant itself: a Reshape to the same shape copies it there."""
    if isinstance(node.op, Reshape):
        return False
    array = evaluate(node.op, known, node.output.type, editor.arithmetic)
    stored = editor.add_constant(node.output.name, array, node.output.type.quant)
    editor.put(replace(node, op=Reshape(node.output.type.shape), inputs=(stored,)))
    return True


def _evaluate_but_dequantize(editor: GraphEditor, node: Node) -> bool:
    return not isinstance(node.op, Dequantize) and _evaluate(editor, node)


def _fold_integers_kept(graph: Graph) -> Graph:
    return rewrite(graph, _move_under_dequantize, _evaluate_but_dequantize)


def _fold_all(graph: Graph) -> Graph:
    return rewrite(graph, _evaluate)


FOLD_CONSTANTS = Pass("fold_constants", _fold_integers_kept)
DEQUANTISE_CONSTANTS = Pass("dequantise_constants", _fold_all)
