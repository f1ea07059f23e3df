# SPDX-License-Identifier: Apache-2.0
"""Running a graph node by node.

Float operators compute in float64 and round once to the result's type. Operators on quantised integers compute as
`quantised` says, plain integers as `whole` says, and what only moves elements works on every type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from stowage.ir.graph import Arithmetic, Array, Graph, Node, Value
from stowage.ir.ops.beside import Beside
from stowage.ir.ops.movement import Constant
from stowage.ir.ops.op import Op
from stowage.ir.ops.residual import Conv2dAdd
from stowage.ir.ops.sequence_lstm import SequenceLstm
from stowage.ir.reference.combined import COMBINED
from stowage.ir.reference.converted import CONVERTED
from stowage.ir.reference.direct_tflite import DIRECT_IN_TFLITE
from stowage.ir.reference.moved import MOVED
from stowage.ir.reference.operand import Operand, stored
from stowage.ir.reference.pooled_rows import POOLED_ROWS
from stowage.ir.reference.quantised import compute_quantised, has_integers
from stowage.ir.reference.quantised_site import Site
from stowage.ir.reference.real import compute_reals
from stowage.ir.reference.selected import SELECTED
from stowage.ir.reference.sequence_lstm import sequence_lstm
from stowage.ir.reference.whole import compute_whole
from stowage.ir.tensor_type import TensorType

_DIRECT = {**MOVED, **CONVERTED, **COMBINED, **SELECTED, **POOLED_ROWS}
_DIRECT_BY_ARITHMETIC = {Arithmetic.ONNX: _DIRECT, Arithmetic.TFLITE: {**_DIRECT, **DIRECT_IN_TFLITE}}


def run(graph: Graph, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """Every value of a graph by name, for its inputs by name.

    Raises:
        ValueError: an input is missing or has another shape or element type than the graph's.
    """
    values = {value.name: _checked(value, inputs) for value in graph.inputs}
    for node in graph.nodes:
        made = _results(graph, node, [values[operand.name] for operand in node.inputs])
        values.update(zip((value.name for value in node.outputs), made, strict=True))
    return values


def _checked(value: Value, inputs: Mapping[str, Array]) -> Array:
    array = inputs.get(value.name)
    if array is None or array.shape != value.type.shape or array.dtype != value.type.dtype.numpy:
        given = "nothing" if array is None else f"{array.dtype} {list(array.shape)}"
        raise ValueError(f"input {value.name} is {given}, but the graph takes {value.type}")
    return array


def _results(graph: Graph, node: Node, arrays: list[Array]) -> Sequence[Array]:
    if isinstance(node.op, Constant):
        return (graph.constants[node.op.digest],)
    operands = [Operand(operand.type, array) for operand, array in zip(node.inputs, arrays, strict=True)]
    if isinstance(node.op, SequenceLstm):
        results: Sequence[Array] = sequence_lstm(node.op, operands, [value.type for value in node.outputs])
    else:
        results = (compute(node.op, operands, node.output.type, graph.arithmetic),)
    for value, result in zip(node.outputs, results, strict=True):
        if result.shape != value.type.shape or result.dtype != value.type.dtype.numpy:
            raise AssertionError(f"{node.name} made {result.dtype} {list(result.shape)} of type {value.type}")
    return results


def compute(op: Op, operands: Sequence[Operand], result: TensorType, arithmetic: Arithmetic) -> Array:
    """The result of one operator, as elements of the type `result`."""
    if isinstance(op, Conv2dAdd):
        return _conv2d_add(op, operands, result, arithmetic)
    if isinstance(op, Beside):
        return _beside(op, operands, arithmetic)
    direct = _DIRECT_BY_ARITHMETIC[arithmetic].get(type(op))
    if direct is not None:
        return np.asarray(direct(op, operands, result))
    if operands[0].type.quant is not None and has_integers(op, arithmetic):
        return compute_quantised(op, operands, Site(result, arithmetic))
    if operands[0].type.quant is not None or result.dtype.is_float:
        return stored(compute_reals(op, [operand.reals for operand in operands]), result)
    return np.asarray(compute_whole(op, [operand.array for operand in operands]))


def _conv2d_add(op: Conv2dAdd, operands: Sequence[Operand], result: TensorType, arithmetic: Arithmetic) -> Array:
    *convolved, addend = operands
    type_ = op.made_type(tuple(operand.type for operand in convolved))
    made = Operand(type_, compute(op.conv, convolved, type_, arithmetic))
    return compute(op.add, [made, addend], result, arithmetic)


def _beside(op: Beside, operands: Sequence[Operand], arithmetic: Arithmetic) -> Array:
    *taken, kept = operands
    made = compute(op.op, taken, op.made_type(tuple(operand.type for operand in operands)), arithmetic)
    return np.concatenate([made, kept.array] if op.made_first else [kept.array, made], axis=-1)
