# SPDX-License-Identifier: Apache-2.0
"""Rules that bring Quantize and Dequantize together, past operators that only move or compare elements.

A Dequantize goes towards the outputs, a Quantize towards the inputs; both turn floats into bytes on their way, and
neither ever goes back.
"""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Clip, Dequantize, Quantize, Relu
from stowage.ir.ops.movement import Concat, Pad, Reshape, Resize, Slice, Transpose
from stowage.ir.ops.op import ShapeError
from stowage.ir.ops.reduction import ArgMax
from stowage.ir.ops.window import MaxPool2d
from stowage.ir.quantised_clamp import quantise_real
from stowage.ir.tensor_type import TensorType
from stowage.passes.editor import GraphEditor
from stowage.passes.lookup import Step, entries, per_tensor_8_bits, put_table


def selects_elements(node: Node) -> bool:
    """Whether each element of the result is one of the operands' or a given real, chosen in a way that keeps order."""
    if isinstance(node.op, Resize):
        return node.op.mode == "nearest"
    return isinstance(node.op, Reshape | Transpose | Slice | Concat | Pad | MaxPool2d)


def dequantize_later(editor: GraphEditor, node: Node) -> bool:
    """op(Dequantize(q)) -> Dequantize(op(q)) for operators that select elements."""
    makers = [editor.maker(value) for value in node.inputs]
    stored = [maker.inputs[0] for maker in makers if maker is not None and isinstance(maker.op, Dequantize)]
    if not stored or len(stored) < len(makers) or len({value.type.quant for value in stored}) > 1:
        return False
    if len({value.type.dtype for value in stored}) > 1 or all(editor.constant(value) is not None for value in stored):
        return False
    if not selects_elements(node) or not _pads_with_an_integer(node, stored[0].type):
        return False
    try:
        moved = editor.add(node.name, node.op, tuple(stored), f"{node.output.name}.quantised")
    except ShapeError:
        return False
    first = makers[0]
    assert first is not None
    editor.put(Node(first.name, Dequantize(), (moved,), node.outputs))
    return True


def _pads_with_an_integer(node: Node, stored: TensorType) -> bool:
    if not isinstance(node.op, Pad) or node.op.mode != "constant":
        return True
    quant = stored.quant
    if quant is None or quant.axis is not None:
        return False
    stands_for = quant.scale * (quantise_real(node.op.value, stored) - quant.zero_point)
    return abs(stands_for - node.op.value) <= 1e-6 * quant.scale


def largest_of_integers(editor: GraphEditor, node: Node) -> bool:
    """ArgMax(Dequantize(q)) -> ArgMax(q): the scale is positive."""
    maker = editor.maker(node.inputs[0]) if isinstance(node.op, ArgMax) else None
    if maker is None or not isinstance(maker.op, Dequantize) or not per_tensor_8_bits(maker.inputs[0].type):
        return False
    editor.put(replace(node, inputs=maker.inputs))
    return True


def quantize_earlier(editor: GraphEditor, node: Node) -> bool:
    """Quantize(op(x)) -> op(Quantize(x)) for operators that select or clamp elements, if nothing else uses these."""
    op, mover = node.op, editor.maker(node.inputs[0]) if node.inputs else None
    if not isinstance(op, Quantize) or op.quant.axis is not None or mover is None:
        return False
    if not selects_elements(mover) and not isinstance(mover.op, Relu | Clip):
        return False
    if editor.sole_user(mover.output) != node or not _saves_work(editor, mover, op):
        return False
    inputs = tuple(_quantised(editor, node, op, value) for value in mover.inputs)
    editor.put(Node(mover.name, mover.op, inputs, node.outputs))
    return True


def _quantised(editor: GraphEditor, node: Node, op: Quantize, value: Value) -> Value:
    """The value after `op`, which is shared with others that want the same."""
    for user in editor.users(value):
        if user.op == op and user != node:
            return user.output
    return editor.add(node.name, op, (value,), f"{value.name}.quantised")


def _saves_work(editor: GraphEditor, mover: Node, op: Quantize) -> bool:
    """A Slice takes a part alone: quantising all pays only if all of it is asked for in the same quantisation."""
    whole = mover.inputs[0]
    if not isinstance(mover.op, Slice):
        return True
    return not editor.is_output(whole) and all(_wants(editor, user, op) for user in editor.users(whole))


def _wants(editor: GraphEditor, user: Node, op: Quantize) -> bool:
    reader = editor.sole_user(user.output) if isinstance(user.op, Slice) else user
    return reader is not None and reader.op == op


def change_of_quantisation(editor: GraphEditor, node: Node) -> bool:
    """Quantize(Dequantize(q)) -> q where the parameters are the same, else a look-up."""
    maker = editor.maker(node.inputs[0]) if isinstance(node.op, Quantize) else None
    if maker is None or not isinstance(maker.op, Dequantize):
        return False
    stored = maker.inputs[0]
    if stored.type == node.output.type:
        if editor.can_replace(node.output, stored):
            editor.replace(node.output, stored)
        else:
            editor.put(Node(node.name, Reshape(stored.type.shape), (stored,), node.outputs))
        return True
    if not per_tensor_8_bits(stored.type) or not per_tensor_8_bits(node.output.type):
        return False
    steps = [Step(maker.op, maker.output.type), Step(node.op, node.output.type)]
    put_table(editor, node, stored, entries(stored.type, steps, editor.arithmetic))
    return True
