# SPDX-License-Identifier: Apache-2.0
"""Rules that fold Dequantize and Quantize into sums, products, means, softmax and functions of one number."""

from __future__ import annotations

from stowage.ir.graph import Array, Node, Value
from stowage.ir.ops.combination import NumberCombination
from stowage.ir.ops.elementwise import Add, Dequantize, Div, Mul, Quantize, Sub
from stowage.ir.ops.function import NumberFunction
from stowage.ir.ops.movement import Resize
from stowage.ir.ops.reduction import ReduceMean, Softmax
from stowage.ir.ops.window import AveragePool2d
from stowage.passes.editor import GraphEditor
from stowage.passes.lookup import Step, entries, per_tensor_8_bits, put_table
from stowage.passes.quantised_operand import quantised_alone, stored_integers

_ONE_OPERAND = (AveragePool2d, ReduceMean, Softmax)
_TWO_OPERANDS = (Add, Sub, Mul)


def fold_arithmetic(editor: GraphEditor, node: Node) -> bool:
    """Quantize(op(Dequantize(a), ...)) -> op on integers."""
    real = quantised_alone(editor, node)
    if real is None or not isinstance(real.op, (*_ONE_OPERAND, *_TWO_OPERANDS, NumberFunction)):
        return False
    stored = [stored_integers(editor, value) for value in real.inputs]
    inputs = tuple(value for value in stored if value is not None)
    if len(inputs) < len(stored) or len({value.type.dtype for value in inputs}) > 1:
        return False
    editor.put(Node(real.name, real.op, inputs, node.outputs))
    return True


def fold_linear_resize(editor: GraphEditor, node: Node) -> bool:
    """Quantize(Resize(Dequantize(q))) -> Resize(q) for linear interpolation that keeps the quantisation."""
    resize = quantised_alone(editor, node)
    stored = stored_integers(editor, resize.inputs[0]) if resize is not None and isinstance(resize.op, Resize) else None
    if resize is None or stored is None or stored.type.quant != node.output.type.quant:
        return False
    editor.put(Node(resize.name, resize.op, (stored,), node.outputs))
    return True


def fold_function(editor: GraphEditor, node: Node) -> bool:
    """Quantize(f(g(Dequantize(q)))) -> a look-up, for functions of one number, or of one and a constant number."""
    if not isinstance(node.op, Quantize) or not per_tensor_8_bits(node.output.type):
        return False
    steps = [Step(node.op, node.output.type, (None,))]
    last, data = node, node.inputs[0]
    while (stored := stored_integers(editor, data)) is None:
        maker = editor.maker(data)
        step = None if maker is None or editor.sole_user(data) != last else _step(editor, maker)
        if maker is None or step is None:
            return False
        steps.append(step)
        last, data = maker, maker.inputs[step.operands.index(None)]
    steps.append(Step(Dequantize(), data.type, (None,)))
    put_table(editor, node, stored, entries(stored.type, steps[::-1], editor.arithmetic))
    return True


def _step(editor: GraphEditor, node: Node) -> Step | None:
    """A float node as a function of one number; None where it is no such function."""
    if isinstance(node.op, NumberFunction):
        return Step(node.op, node.output.type, (None,))
    if not isinstance(node.op, (*_TWO_OPERANDS, Div, NumberCombination)):
        return None
    numbers = [_number(editor, value) for value in node.inputs]
    if sum(number is None for number in numbers) != 1:
        return None
    return Step(node.op, node.output.type, tuple(numbers))


def _number(editor: GraphEditor, value: Value) -> Array | None:
    array = editor.constant(value) if value.type.elements == 1 else None
    return None if array is None else array.reshape(())
