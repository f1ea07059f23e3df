# SPDX-License-Identifier: Apache-2.0
"""Functions of one 8-bit number become look-ups; look-ups of look-ups become one; those that change nothing go."""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Node
from stowage.ir.ops.elementwise import Table
from stowage.ir.ops.function import NumberFunction
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.lookup import Step, entries, every_integer, per_tensor_8_bits, put_table
from stowage.passes.rewrite import rewrite


def _tabulate(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, NumberFunction):
        return False
    operand = node.inputs[0]
    if not per_tensor_8_bits(operand.type) or not per_tensor_8_bits(node.output.type):
        return False
    put_table(editor, node, operand, entries(operand.type, [Step(node.op, node.output.type)], editor.arithmetic))
    return True


def _compose(editor: GraphEditor, node: Node) -> bool:
    first = editor.maker(node.inputs[0]) if isinstance(node.op, Table) else None
    if first is None or not isinstance(first.op, Table) or editor.sole_user(first.output) != node:
        return False
    inner, outer = editor.constant(first.inputs[1]), editor.constant(node.inputs[1])
    if inner is None or outer is None:
        return False
    lowest = int(np.iinfo(inner.dtype.name).min)
    put_table(editor, node, first.inputs[0], outer[inner.astype(np.int64) - lowest])
    return True


def _drop_idle(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, Table) or node.inputs[0].type != node.output.type:
        return False
    table = editor.constant(node.inputs[1])
    idle = table is not None and np.array_equal(table, every_integer(node.output.type.dtype))
    if not idle or not editor.can_replace(node.output, node.inputs[0]):
        return False
    editor.replace(node.output, node.inputs[0])
    return True


TABLES = Pass("tables", lambda graph: rewrite(graph, _tabulate, _compose, _drop_idle))
