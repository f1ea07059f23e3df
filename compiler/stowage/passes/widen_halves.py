# SPDX-License-Identifier: Apache-2.0
"""16-bit floats are stored and moved; what computes with them computes in float32, and each result is rounded once.

So does a core without 16-bit arithmetic, and so does NumPy. Widening is exact; a result that the model keeps in 16 bits
is rounded to them even if the next operator widens it again, since that rounding is part of the model's meaning.
"""

from __future__ import annotations

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.combination import Where
from stowage.ir.ops.elementwise import Cast
from stowage.ir.ops.movement import Concat, Constant, Pad, Reshape, Resize, Slice, Transpose
from stowage.ir.ops.op import Op
from stowage.ir.ops.selection import SELECTIONS, ScatterElements, ScatterNd
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite

_MOVING: tuple[type[Op], ...] = (Constant, Reshape, Transpose, Concat, Slice, Pad, Where, *SELECTIONS)
_FLOATS = (DType.F16, DType.F32)


def _widen(editor: GraphEditor, node: Node) -> bool:
    if not any(value.type.dtype is DType.F16 for value in (*node.inputs, *node.outputs)) or _is_kept(node):
        return False
    op = Cast(DType.F32) if isinstance(node.op, Cast) and node.op.to is DType.F16 else node.op
    result = editor.add(node.name, op, tuple(_wide(editor, value) for value in node.inputs), f"{node.output.name}.wide")
    if node.output.type.dtype is DType.F16:
        result = editor.add(f"{node.name}.rounded", Cast(DType.F16), (result,), node.output.name)
    editor.replace(node.output, result)
    return True


def _is_kept(node: Node) -> bool:
    """Whether a kernel takes 16-bit elements as they are."""
    if isinstance(node.op, Cast):
        return node.inputs[0].type.dtype in _FLOATS and node.op.to in _FLOATS
    if isinstance(node.op, Resize):
        return node.op.mode == "nearest"
    combines = isinstance(node.op, ScatterElements | ScatterNd) and node.op.reduction != "none"
    return isinstance(node.op, _MOVING) and not combines


def _wide(editor: GraphEditor, value: Value) -> Value:
    """The value in float32 if it is in 16 bits."""
    if value.type.dtype is not DType.F16:
        return value
    array = editor.constant(value)
    if array is not None:
        return editor.add_constant(f"{value.name}.wide", array.astype(np.float32))
    return editor.add(f"{value.name}.widened", Cast(DType.F32), (value,), f"{value.name}.wide")


WIDEN_HALVES = Pass("widen_halves", lambda graph: rewrite(graph, _widen))
