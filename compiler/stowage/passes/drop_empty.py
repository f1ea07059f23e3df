# SPDX-License-Identifier: Apache-2.0
"""Tensors without elements are known: no node makes them, no node reads them from an input, no Concat joins them.

What reads them otherwise (a reduction over nothing, a scatter of nothing) reads a constant. They take no bytes, and
what only they needed goes with them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.movement import Concat, Constant
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass


def _is_empty(value: Value) -> bool:
    return not value.type.elements


def _empty(value: Value) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
    return np.zeros(value.type.shape, value.type.dtype.numpy)


def _know_result(editor: GraphEditor, node: Node) -> None:
    if len(node.outputs) == 1 and _is_empty(node.output) and not isinstance(node.op, Constant):
        editor.put_constant(node.output, _empty(node.output))


def _know_inputs(editor: GraphEditor, graph: Graph) -> None:
    for value in graph.inputs:
        if not _is_empty(value):
            continue
        for user in editor.users(value):
            known = editor.add_constant(value.name, _empty(value), value.type.quant)
            editor.put(replace(user, inputs=tuple(known if v.name == value.name else v for v in user.inputs)))


def _leave_out_of_concat(editor: GraphEditor, node: Node) -> None:
    full = tuple(value for value in node.inputs if not _is_empty(value))
    if isinstance(node.op, Concat) and 0 < len(full) < len(node.inputs):
        editor.put(replace(node, inputs=full))


def _drop_empty(graph: Graph) -> Graph:
    values = [*graph.inputs, *(value for node in graph.nodes for value in node.outputs)]
    if not any(map(_is_empty, values)):
        return graph
    editor = GraphEditor(graph)
    _know_inputs(editor, graph)
    for edit in (_know_result, _leave_out_of_concat):
        for key in editor:
            node = editor.node(key)
            if node is not None:
                edit(editor, node)
    return editor.finish()


DROP_EMPTY = Pass("drop_empty", _drop_empty)
