# SPDX-License-Identifier: Apache-2.0
"""A sum goes into the convolution that makes one of its operands, whose own output then never is in memory as a whole.

Only where the other operand is in memory anyway while the convolution runs, since that is made of it; else the fused
step might have to hold the convolution's input until the other operand is there. And only where windows are larger
than a pixel: the output of others can lie over their input, which is as good.
"""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Add
from stowage.ir.ops.residual import Conv2dAdd
from stowage.ir.ops.window import Conv2d
from stowage.ir.tensor_type import TensorType
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass

_TYPES = (DType.I8, DType.F32)


def _fuse_all(graph: Graph) -> Graph:
    editor = GraphEditor(graph)
    places = {value.name: place for place, node in enumerate(graph.nodes) for value in node.outputs}
    for key in editor:
        node = editor.node(key)
        if node is not None and isinstance(node.op, Add):
            _fuse(editor, node, places)
    return editor.finish()


def _fuse(editor: GraphEditor, node: Node, places: dict[str, int]) -> None:
    a, b = node.inputs
    for made, addend in ((a, b), (b, a)):
        conv = editor.maker(made)
        if conv is None or not isinstance(conv.op, Conv2d) or not isinstance(node.op, Add):
            continue
        if (
            editor.sole_user(made) == node
            and _suits(editor, conv, addend, node)
            and _needs(editor, conv, addend, places)
        ):
            op = Conv2dAdd(conv.op, made.type.quant, node.op)
            editor.put(Node(conv.name, op, (*conv.inputs, addend), node.outputs))
            return


def _suits(editor: GraphEditor, conv: Node, addend: Value, node: Node) -> bool:
    """Whether there is a kernel for both at once, and something to gain."""
    if len(conv.inputs) != 3 or any(editor.constant(value) is None for value in conv.inputs[1:]):
        return False
    alike = all(_like(value.type, node.output.type) for value in (conv.inputs[0], conv.output, addend))
    same = conv.output.type.shape == addend.type.shape == node.output.type.shape
    return alike and same and conv.inputs[1].type.shape[1:3] != (1, 1) and editor.constant(addend) is None


def _like(type_: TensorType, output: TensorType) -> bool:
    return type_.dtype in _TYPES and type_.dtype is output.dtype and (type_.quant is None) == (output.quant is None)


def _needs(editor: GraphEditor, conv: Node, addend: Value, places: dict[str, int]) -> bool:
    """Whether the convolution is made of the addend: looks at no node that comes before the addend's."""
    first = places.get(addend.name)
    if first is None:
        return True
    pending, seen = [conv.inputs[0]], set[str]()
    while pending:
        value = pending.pop()
        if value.name == addend.name:
            return True
        maker = editor.maker(value)
        if maker is not None and value.name not in seen and places.get(value.name, first) > first:
            seen.add(value.name)
            pending += maker.inputs
    return False


FUSE_ADDITION = Pass("fuse_addition", _fuse_all)
