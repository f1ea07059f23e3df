# SPDX-License-Identifier: Apache-2.0
"""The numbers that one operator gives for known operands."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.ir.graph import Arithmetic, Array, Graph, Node, Value
from stowage.ir.ops.op import Op
from stowage.ir.reference import run
from stowage.ir.tensor_type import TensorType


def evaluate(op: Op, operands: Sequence[tuple[TensorType, Array]], result: TensorType, arithmetic: Arithmetic) -> Array:
    """What `op` makes of arrays of the given types, as the reference defines it, as an array of type `result`."""
    inputs = tuple(Value(f"operand_{index}", type_) for index, (type_, _) in enumerate(operands))
    output = Value("result", result)
    graph = Graph("evaluate", inputs, (output,), (Node("evaluate", op, inputs, (output,)),), arithmetic)
    return run(graph, {value.name: array for value, (_, array) in zip(inputs, operands, strict=True)})["result"]
