# SPDX-License-Identifier: Apache-2.0
"""Gemm and MatMul by a matrix known at build time become FullyConnected; other Gemms become MatMul, Mul and Add."""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Add, Mul
from stowage.ir.ops.linear import FullyConnected, Gemm, MatMul
from stowage.ir.ops.movement import Transpose
from stowage.passes.editor import GraphEditor
from stowage.passes.frozen import frozen, moved, with_gains
from stowage.passes.graph_pass import Pass
from stowage.passes.rewrite import rewrite


def _gemm(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, Gemm):
        return False
    op, a, b = node.op, node.inputs[0], node.inputs[1]
    if op.transpose_a:
        a = editor.add(f"{node.name}.transpose_a", Transpose((1, 0)), (a,))
    weights = _weights(editor, b, transposed=not op.transpose_b, gain=op.alpha)
    if weights is not None:
        result = editor.add(node.name, FullyConnected(), (a, weights))
    else:
        if op.transpose_b:
            b = editor.add(f"{node.name}.transpose_b", Transpose((1, 0)), (b,))
        product = editor.add(node.name, MatMul(), (a, b))
        result = _scaled(editor, f"{node.name}.alpha", product, op.alpha)
    if len(node.inputs) == 3 and op.beta != 0:
        addend = _scaled(editor, f"{node.name}.beta", node.inputs[2], op.beta)
        result = editor.add(f"{node.name}.bias", Add(), (result, addend))
    editor.replace(node.output, result)
    return True


def _matmul(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, MatMul) or len(node.inputs[1].type.shape) != 2:
        return False
    weights = _weights(editor, node.inputs[1], transposed=True, gain=1.0)
    if weights is None:
        return False
    op, inputs = FullyConnected(), (node.inputs[0], weights, *node.inputs[2:])
    editor.put(Node(node.name, op, inputs, node.outputs))
    return True


def _weights(editor: GraphEditor, operand: Value, transposed: bool, gain: float) -> Value | None:
    """The [O, I] weights of a right operand that is known at build time; None where it is not."""
    known = frozen(editor, operand)
    stands_for_reals = operand.type.dtype.is_float or operand.type.quant is not None
    if known is None or not stands_for_reals:
        return None
    value = operand
    if transposed:
        value = moved(editor, known, Transpose((1, 0)), known.stored.name)
        known = frozen(editor, value)
    if gain == 1.0 or known is None:
        return value
    gains = np.full(value.type.shape[0], gain)
    return with_gains(editor, known, gains, 0, known.stored.name)


def _scaled(editor: GraphEditor, name: str, operand: Value, factor: float) -> Value:
    if factor == 1.0:
        return operand
    scale = editor.add_constant(f"{name}.factor", np.array(factor, operand.type.dtype.numpy))
    return editor.add(name, Mul(), (operand, scale))


SIMPLIFY_GEMM = Pass("simplify_gemm", lambda graph: rewrite(graph, _gemm, _matmul))
