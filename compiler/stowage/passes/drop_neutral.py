# SPDX-License-Identifier: Apache-2.0
"""Nodes whose constant operand leaves the other as it is: x + 0, x - 0, 1 * x, x / 1, and a choice that is made.

Operators that are defined by a body of others leave such nodes where an optional operand is absent. Of x + 0 only the
sign of a zero can differ from x.
"""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.combination import Where
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub
from stowage.ir.ops.op import Op
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite

_NEUTRAL: dict[Op, tuple[float, tuple[int, ...]]] = {
    Add(): (0.0, (0, 1)),
    Sub(): (0.0, (1,)),
    Mul(): (1.0, (0, 1)),
    Div(): (1.0, (1,)),
}
"""By operator: the number that changes nothing, and as which operands."""


def _drop(editor: GraphEditor, node: Node) -> bool:
    kept = _chosen(editor, node) if isinstance(node.op, Where) else _unchanged(editor, node)
    if kept is None or kept.type != node.output.type or not editor.can_replace(node.output, kept):
        return False
    editor.replace(node.output, kept)
    return True


def _unchanged(editor: GraphEditor, node: Node) -> Value | None:
    number, places = _NEUTRAL.get(node.op, (0.0, ()))
    for place in places:
        array = editor.constant(node.inputs[place])
        if array is not None and node.inputs[place].type.quant is None and np.all(array == np.array(number)):
            return node.inputs[1 - place]
    return None


def _chosen(editor: GraphEditor, node: Node) -> Value | None:
    condition = editor.constant(node.inputs[0])
    if condition is None or condition.any() != condition.all():
        return None
    return node.inputs[1 if condition.all() else 2]


def _drop_neutral(graph: Graph) -> Graph:
    return rewrite(graph, _drop)


DROP_NEUTRAL = Pass("drop_neutral", _drop_neutral)
