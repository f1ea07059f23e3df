# SPDX-License-Identifier: Apache-2.0
"""Rules of quantisation: integers that stand for reals say so everywhere, and consistently."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from stowage.ir.graph import Graph, Node
from stowage.ir.legality.fault import Fault
from stowage.ir.legality.typing import values_of
from stowage.ir.ops.bits import BitCast
from stowage.ir.ops.elementwise import Cast, Dequantize, Quantize, Table
from stowage.ir.ops.fed_rows import FeedRows
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.movement import Concat, Constant, Pad, Reshape, Resize, Slice, Transpose
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.pool_rows import PoolSum
from stowage.ir.ops.reduction import ArgMax
from stowage.ir.ops.residual import Conv2dAdd
from stowage.ir.ops.selection import SELECTIONS
from stowage.ir.ops.sequence_lstm import SequenceLstm
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.tensor_type import Quant, TensorType

_SAY_THEIR_OWN: tuple[type[Op], ...] = (PoolSum, Constant, Quantize, Dequantize, Table, Cast, BitCast, ArgMax)
_KEEP: tuple[type[Op], ...] = (Reshape, Transpose, Concat, Slice, FeedRows, Pad, Resize, MaxPool2d, *SELECTIONS)
_NOT_REAL = _SAY_THEIR_OWN + _KEEP
_OUTPUTS_FIRST = Conv2d | Conv2dAdd | ConvTranspose2d | FullyConnected | SequenceLstm
"""Layers whose weights have the output channels along their first axis; others have them along the last."""
_HAVE_WEIGHTS: tuple[type[Op], ...] = (
    Conv2d,
    Conv2dAdd,
    ConvTranspose2d,
    DepthwiseConv2d,
    FullyConnected,
    MatMul,
    SequenceLstm,
)
_BIAS_SCALE_TOLERANCE = 1e-5


def quantisations_are_well_formed(graph: Graph) -> Iterator[Fault]:
    """Scales are positive, zero points in range, and there is one of each, or one for every entry of the axis."""
    sound: set[int] = set()
    for value in values_of(graph):
        if value.type.quant is not None and id(value.type) not in sound:
            for reason in _malformed(value.type, value.type.quant):
                yield Fault(f"value {value.name}", reason)
            sound.add(id(value.type))


def _malformed(tensor: TensorType, quant: Quant) -> Iterator[str]:
    if tensor.dtype.is_float or tensor.dtype.numpy.kind == "b":
        yield f"elements of type {tensor.dtype.value} cannot be quantised"
        return
    extent = 1 if quant.axis is None else (*tensor.shape, *[-1] * (quant.axis + 1))[quant.axis]
    if not len(quant.scales) == len(quant.zero_points) == extent:
        counts = f"{len(quant.scales)} scales and {len(quant.zero_points)} zero points"
        yield f"it has {counts} for axis {quant.axis} of {list(tensor.shape)}"
    if not all(scale > 0 and math.isfinite(scale) for scale in quant.scales):
        yield "a scale is not positive and finite"
    limits = np.iinfo(tensor.dtype.numpy.name)
    if not all(limits.min <= zero_point <= limits.max for zero_point in quant.zero_points):
        yield f"a zero point is outside {tensor.dtype.value}"


def results_are_quantised_as_their_operands(graph: Graph) -> Iterator[Fault]:
    """Operators that select elements keep the quantisation; real ones on quantised operands have a quantised result."""
    for node in graph.nodes:
        try:
            expected = node.op.result_types(tuple(operand.type for operand in node.inputs))
        except ShapeError:
            continue  # types_follow_from_operands reports it
        for output, rule in zip(node.outputs, expected, strict=False):
            for reason in _misquantised(node, output.type, rule):
                yield Fault(f"node {node.name}", f"output {output.name} {reason}")


def _misquantised(node: Node, output: TensorType, rule: TensorType) -> Iterator[str]:
    if isinstance(node.op, _NOT_REAL) or node.inputs[0].type.quant is None:
        if output.quant != rule.quant:
            yield f"has the quantisation {output.quant}, but {rule.quant} follows from the operands"
    elif output.quant is None:
        yield "has no quantisation, though the operands are quantised"
    elif output.quant.axis is not None:
        yield "is quantised along an axis, which the result of real arithmetic cannot be"


def operands_are_quantised_as_kernels_need(graph: Graph) -> Iterator[Fault]:
    """Real operators take one scale an operand; weights may have one an output channel; the bias has the product."""
    for node in graph.nodes:
        if not isinstance(node.op, _NOT_REAL) and node.inputs and node.inputs[0].type.quant is not None:
            yield from _check_operands(node)


def _check_operands(node: Node) -> Iterator[Fault]:
    with_weights = isinstance(node.op, _HAVE_WEIGHTS)
    for index, operand in enumerate(node.inputs):
        quant = operand.type.quant
        allowed = {None, _output_axis(node)} if with_weights and index > 0 else {None}
        if quant is not None and quant.axis not in allowed and not (index == 2 and quant.axis == 0):
            yield Fault(f"node {node.name}", f"operand {operand.name} is quantised along axis {quant.axis}")
    if with_weights and len(node.inputs) == 3 + isinstance(node.op, Conv2dAdd):
        yield from _check_bias(node)


def _output_axis(node: Node) -> int:
    """The axis of the weights that counts output channels."""
    weights = node.inputs[1].type
    return 0 if isinstance(node.op, _OUTPUTS_FIRST) else len(weights.shape) - 1


def _check_bias(node: Node) -> Iterator[Fault]:
    data, weights, bias = (operand.type.quant for operand in node.inputs[:3])
    if data is None or weights is None or bias is None:
        return
    products = [data.scales[0] * scale for scale in weights.scales]
    same = len(bias.scales) in (1, len(products)) or len(products) == 1
    if not same or not np.allclose(bias.scales, products, rtol=_BIAS_SCALE_TOLERANCE, atol=0) or any(bias.zero_points):
        yield Fault(
            f"node {node.name}", "the bias is not quantised by the product of the input's and the weights' scales"
        )
