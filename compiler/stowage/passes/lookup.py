# SPDX-License-Identifier: Apache-2.0
"""The 256 entries of a function of one 8-bit number, computed by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Node, Value
from stowage.ir.ops.elementwise import Table
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import TensorType
from stowage.passes.editor import GraphEditor
from stowage.passes.evaluate import evaluate

EIGHT_BITS = (DType.I8, DType.U8)


@dataclass(frozen=True, slots=True)
class Step:
    """An operator as a function of one number.

    Attributes:
        op: the operator.
        result: the type of its result; the shape does not matter.
        operands: its operands: None for the number, scalars for constants.
    """

    op: Op
    result: TensorType
    operands: tuple[Array | None, ...] = (None,)


def per_tensor_8_bits(type_: TensorType) -> bool:
    """Whether elements are 8-bit integers with one scale and zero point."""
    return type_.dtype in EIGHT_BITS and type_.quant is not None and type_.quant.axis is None


def every_integer(dtype: DType) -> Array:
    """All 256 numbers of an 8-bit type, in the order in which a Table has their images."""
    limits = np.iinfo(dtype.numpy.name)
    return np.arange(limits.min, limits.max + 1).astype(dtype.numpy)


def entries(operand: TensorType, steps: Sequence[Step], arithmetic: Arithmetic) -> Array:
    """What the operators make, one after the other, of every integer of an 8-bit operand."""
    array, type_ = every_integer(operand.dtype), TensorType((256,), operand.dtype, operand.quant)
    for step in steps:
        result = TensorType((256,), step.result.dtype, step.result.quant)
        operands = [(type_, array) if each is None else (_type_of(each), each) for each in step.operands]
        array, type_ = evaluate(step.op, operands, result, arithmetic), result
    return array


def _type_of(array: Array) -> TensorType:
    return TensorType(array.shape, DType.of(array.dtype))


def put_table(editor: GraphEditor, node: Node, operand: Value, table: Array) -> None:
    """Puts a look-up of `operand` in the place of `node`; its output keeps its type."""
    stored = editor.add_constant(f"{node.output.name}.table", table)
    editor.put(Node(node.name, Table(node.output.type.quant), (operand, stored), node.outputs))
