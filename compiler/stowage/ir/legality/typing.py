# SPDX-License-Identifier: Apache-2.0
"""Rules of types: shapes and element types are those of the operators' shape rules."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.legality.fault import Fault
from stowage.ir.ops.op import ShapeError
from stowage.ir.tensor_type import TensorType

_QUANTISED = (DType.I8, DType.U8, DType.I16, DType.U16)


def values_of(graph: Graph) -> Iterator[Value]:
    """Every value where it is made."""
    yield from graph.inputs
    for node in graph.nodes:
        yield from node.outputs


def extents_are_not_negative(graph: Graph) -> Iterator[Fault]:
    """Every extent is known, so none is negative."""
    for value in values_of(graph):
        if min(value.type.shape, default=0) < 0:
            yield Fault(f"value {value.name}", f"shape {list(value.type.shape)} has a negative extent")


def types_follow_from_operands(graph: Graph) -> Iterator[Fault]:
    """The outputs of a node have the shapes and element types that its operator gives them."""
    for node in graph.nodes:
        try:
            expected = node.op.result_types(tuple(operand.type for operand in node.inputs))
        except ShapeError as error:
            yield Fault(f"node {node.name}", f"{node.op.mnemonic}: {error}")
        else:
            yield from _compare(node, expected)


def _compare(node: Node, expected: tuple[TensorType, ...]) -> Iterator[Fault]:
    if len(node.outputs) != len(expected):
        yield Fault(f"node {node.name}", f"it has {len(node.outputs)} outputs instead of {len(expected)}")
    for output, rule in zip(node.outputs, expected, strict=False):
        if output.type.shape != rule.shape or not _dtype_may_be(output.type, rule):
            yield Fault(
                f"node {node.name}", f"output {output.name} is {output.type}, but {rule} follows from the operands"
            )


def _dtype_may_be(output: TensorType, rule: TensorType) -> bool:
    """A quantised result whose quantisation is free may also be of another quantised element type."""
    free = rule.quant is None and output.quant is not None and rule.dtype in _QUANTISED
    return output.dtype == rule.dtype or (free and output.dtype in _QUANTISED)


def clamps_are_intervals(graph: Graph) -> Iterator[Fault]:
    """A fused activation has a lowest value that is not above its highest."""
    for node in graph.nodes:
        clamp = getattr(node.op, "clamp", None)
        if clamp is not None and (any(map(math.isnan, clamp)) or clamp[0] > clamp[1]):
            yield Fault(f"node {node.name}", f"the clamp {clamp} is no interval")
