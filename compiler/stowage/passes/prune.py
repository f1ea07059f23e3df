# SPDX-License-Identifier: Apache-2.0
"""Nodes that change nothing go, Reshapes of Reshapes become one, and of equal nodes and constants one is kept.

What nothing needs any more, constants included, is dropped by the editor itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stowage.ir.graph import Graph, Node
from stowage.ir.ops.elementwise import Cast
from stowage.ir.ops.movement import Concat, Pad, Reshape, Resize, Slice, Transpose
from stowage.ir.ops.op import Op
from stowage.ir.ops.window import AveragePool2d, MaxPool2d
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite


def _window_of_one(op: Any) -> bool:
    return op.kernel == (1, 1) and op.strides == (1, 1) and not any(op.pads)


_IDLE: dict[type[Op], Callable[[Any], bool]] = {
    Reshape: lambda op: True,
    Cast: lambda op: True,
    Concat: lambda op: True,
    Transpose: lambda op: list(op.permutation) == sorted(op.permutation),
    Slice: lambda op: all(step == 1 or extent == 1 for step, extent in zip(op.steps, op.shape, strict=True)),
    Pad: lambda op: not any((*op.before, *op.after)),
    Resize: lambda op: op.scales == (1.0, 1.0),
    MaxPool2d: _window_of_one,
    AveragePool2d: lambda op: _window_of_one(op) and op.clamp is None,
}
"""Whether a node that has one operand, of the type of its result, changes nothing."""


def _drop_idle(editor: GraphEditor, node: Node) -> bool:
    idle = _IDLE.get(type(node.op))
    if idle is None or len(node.inputs) != 1 or node.inputs[0].type != node.output.type or not idle(node.op):
        return False
    if not editor.can_replace(node.output, node.inputs[0]):
        return False
    editor.replace(node.output, node.inputs[0])
    return True


def _merge_reshapes(editor: GraphEditor, node: Node) -> bool:
    first = editor.maker(node.inputs[0]) if isinstance(node.op, Reshape) else None
    if first is None or not isinstance(first.op, Reshape):
        return False
    editor.put(Node(node.name, node.op, first.inputs, node.outputs))
    return True


def _merge_equal_nodes(graph: Graph) -> Graph:
    editor = GraphEditor(graph)
    kept: dict[tuple[object, ...], Node] = {}
    for key in editor:
        node = editor.node(key)
        if node is None:
            continue
        meaning = (node.op, *(value.name for value in node.inputs), *(value.type for value in node.outputs))
        first = kept.setdefault(meaning, node)
        if first is not node and editor.can_replace(node.output, first.output):
            editor.replace(node.output, first.output)
            kept[meaning] = editor.maker(node.output) or first
    return editor.finish()


def _prune(graph: Graph) -> Graph:
    return _merge_equal_nodes(rewrite(graph, _drop_idle, _merge_reshapes))


PRUNE = Pass("prune", _prune)
