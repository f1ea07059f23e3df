# SPDX-License-Identifier: Apache-2.0
"""A mean of means over real numbers becomes one mean, which integers can compute without rounding in between."""

from __future__ import annotations

from stowage.ir.graph import Node
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.reduction import ReduceMean
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite


def _merge(editor: GraphEditor, node: Node) -> bool:
    first = editor.maker(node.inputs[0]) if isinstance(node.op, ReduceMean) else None
    if first is None or not isinstance(first.op, ReduceMean) or not isinstance(node.op, ReduceMean):
        return False
    if editor.sole_user(first.output) != node or not first.output.type.dtype.is_float:
        return False
    left = [axis for axis in range(len(first.inputs[0].type.shape)) if first.op.keepdims or axis not in first.op.axes]
    axes = tuple(sorted({*first.op.axes, *(left[axis] for axis in node.op.axes)}))
    if first.op.keepdims and node.op.keepdims:
        editor.put(Node(node.name, ReduceMean(axes), first.inputs, node.outputs))
        return True
    mean = editor.add(node.name, ReduceMean(axes, keepdims=False), first.inputs, f"{node.output.name}.mean")
    editor.put(Node(f"{node.name}.shape", Reshape(node.output.type.shape), (mean,), node.outputs))
    return True


MERGE_MEANS = Pass("merge_means", lambda graph: rewrite(graph, _merge))
