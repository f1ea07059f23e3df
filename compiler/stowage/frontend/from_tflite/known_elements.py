# SPDX-License-Identifier: Apache-2.0
"""What is known of a value once shapes are: models compute the shapes of others from those of tensors."""

from __future__ import annotations

from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.graph import Arithmetic, Array, Value
from stowage.ir.reference.interpreter import compute
from stowage.ir.reference.operand import Operand

_MOST_ELEMENTS = 2**12
_DEEPEST = 32
"""How many operators may lie between constants and a shape."""


def known_elements(builder: GraphBuilder, value: Value, depth: int = _DEEPEST) -> Array | None:
    """The elements of a constant, or of a few numbers that operators make of constants alone."""
    array, maker = builder.elements(value), builder.maker(value)
    if array is not None or maker is None or not depth:
        return array
    if len(maker.outputs) != 1 or value.type.elements > _MOST_ELEMENTS or value.type.quant is not None:
        return None
    operands: list[Operand] = []
    for operand in maker.inputs:
        known = known_elements(builder, operand, depth - 1)
        if known is None:
            return None
        operands.append(Operand(operand.type, known))
    return compute(maker.op, operands, value.type, Arithmetic.TFLITE) if operands else None
