# SPDX-License-Identifier: Apache-2.0
"""Which nodes of a float graph are to compute on integers.

Layers with known weights and matrix products always are: they are where the work is. Sums, means, activations and the
like are, if what they read has been integers before: quantising just for them costs more than it saves. Functions that
are steep somewhere (roots, logarithms, quotients) are not, nor is what works for such alone: so the inside of a
normalisation stays float, and its statistics keep their digits.
"""

from __future__ import annotations

from collections.abc import Collection

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.combination import NumberCombination, Pow
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub
from stowage.ir.ops.function import Exp, Log, NumberFunction, Reciprocal, Sqrt
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.movement import Concat, Constant, Pad, Reshape, Resize, Slice, Transpose
from stowage.ir.ops.reduction import ReduceMean, Softmax
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import AveragePool2d, Conv2d, MaxPool2d
from stowage.passes.editor import GraphEditor

LAYERS = (Conv2d, ConvTranspose2d, FullyConnected)
"""Operators with weights, which are quantised along output channels, and a bias."""
MOVERS = (Reshape, Transpose, Slice, Concat, Pad, MaxPool2d, Resize)
"""Operators whose result has the quantisation of what they read."""
_COMBINING = (Add, Sub, Mul)
_GATHERING = (AveragePool2d, ReduceMean, Softmax)
_STEEP = (Sqrt, Log, Exp, Reciprocal, Pow, Div)


def integer_nodes(graph: Graph, keep_float: Collection[str]) -> frozenset[str]:
    """The nodes that become integer ones, by the names of their outputs; `keep_float` has names of nodes."""
    editor = GraphEditor(graph)
    integers: set[str] = set()
    stored = {value.name for value in graph.inputs if value.type.dtype is DType.F32}
    for node in graph.nodes:
        if isinstance(node.op, MOVERS):
            stored |= {node.output.name} if all(value.name in stored for value in node.inputs) else set()
        elif node.name not in keep_float and _can_be_integer(editor, node, stored):
            integers.add(node.output.name)
            stored.add(node.output.name)
    _drop_servants_of_floats(graph, integers)
    return frozenset(integers)


def is_function_of_one_number(editor: GraphEditor, node: Node) -> bool:
    """Whether each element of the result follows from one element of one operand: over 8 bits a table of 256."""
    if isinstance(node.op, NumberFunction):
        return True
    if not isinstance(node.op, (*_COMBINING, Div, NumberCombination)):
        return False
    return sum(_is_number(editor, value) for value in node.inputs) == len(node.inputs) - 1


def data_operands(editor: GraphEditor, node: Node) -> list[Value]:
    """The operands that are not known at build time."""
    return [value for value in node.inputs if editor.constant(value) is None]


def _is_number(editor: GraphEditor, value: Value) -> bool:
    return value.type.elements == 1 and editor.constant(value) is not None


def _can_be_integer(editor: GraphEditor, node: Node, stored: Collection[str]) -> bool:
    data = data_operands(editor, node)
    if isinstance(node.op, Constant) or not data or any(value.type.dtype is not DType.F32 for value in node.inputs):
        return False
    if isinstance(node.op, LAYERS):
        return len(data) == 1 and data[0] == node.inputs[0]
    if isinstance(node.op, MatMul):
        return True
    known = isinstance(node.op, (*_COMBINING, *_GATHERING)) or is_function_of_one_number(editor, node)
    return known and not isinstance(node.op, _STEEP) and all(value.name in stored for value in data)


def _drop_servants_of_floats(graph: Graph, integers: set[str]) -> None:
    """Takes out nodes without a product that only float arithmetic reads."""
    served = {value.name for value in graph.outputs}
    for node in reversed(graph.nodes):
        if node.output.name in integers:
            if isinstance(node.op, (*LAYERS, MatMul)) or node.output.name in served:
                served.update(value.name for value in node.inputs)
            else:
                integers.discard(node.output.name)
        elif isinstance(node.op, MOVERS) and node.output.name in served:
            served.update(value.name for value in node.inputs)
