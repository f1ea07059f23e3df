# SPDX-License-Identifier: Apache-2.0
"""What the operators compute over 8-bit quantised tensors, in the integers that the kernels compute.

Products and means round as the graph's arithmetic says; sums and softmax have one definition for both arithmetics. An
operator that is not in the table has no integer kernel: it means "dequantise, compute in float64, quantise".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stowage.ir.fixed_point_add import add_multipliers, fixed_point_sum
from stowage.ir.graph import Arithmetic, Array
from stowage.ir.ops import elementwise, linear, reduction, window
from stowage.ir.ops.op import Op
from stowage.ir.quantised_clamp import quantised_bounds
from stowage.ir.reference.operand import Integers, Operand, Reals, saturated
from stowage.ir.reference.windows import convolution, depthwise_convolution, pool_counts, pool_sums
from stowage.ir.requantise import product_multiplier, quantise_multiplier, requantise
from stowage.ir.softmax_fixed_point import probability_multiplier, softmax_rows
from stowage.ir.tensor_type import Quant, TensorType


@dataclass(frozen=True, slots=True)
class Site:
    """What integer arithmetic depends on besides its operands: the result's type and whose rounding is kept."""

    result: TensorType
    arithmetic: Arithmetic

    @property
    def quant(self) -> Quant:
        """The result's quantisation."""
        assert self.result.quant is not None
        return self.result.quant


QuantisedFunction = Callable[[Any, Sequence[Operand], Site], Integers]
Sums = Callable[[Any, Reals, Reals], Reals]


def _quant(operand: Operand) -> Quant:
    assert operand.type.quant is not None
    return operand.type.quant


def accumulated(sums: Reals) -> Integers:
    """Sums as 32-bit accumulators.

    Raises:
        OverflowError: a sum has more than 32 bits, which no kernel computes.
    """
    if sums.size and np.abs(sums).max() >= 2**31:
        raise OverflowError(f"an accumulator of {np.abs(sums).max():.0f} has more than 32 bits")
    return sums.astype(np.int64)


def _products(sums: Sums) -> QuantisedFunction:
    """Requantised sums of products of input and weights, with one multiplier for each output channel."""

    def compute(op: Op, operands: Sequence[Operand], site: Site) -> Integers:
        data, weights = operands[:2]
        acc = sums(op, data.centred, weights.centred)
        if len(operands) > 2:
            acc = acc + operands[2].array.astype(np.float64)
        scale = _quant(data).scale
        multipliers = [product_multiplier(scale, other, site.quant.scale) for other in _quant(weights).scales]
        return requantise(accumulated(acc), multipliers, site.arithmetic)

    return compute


def _sum(op: elementwise.Add | elementwise.Sub, operands: Sequence[Operand], site: Site) -> Integers:
    first, second = operands
    subtract = isinstance(op, elementwise.Sub)
    multipliers = add_multipliers(_quant(first).scale, _quant(second).scale, site.quant.scale, subtract=subtract)
    return fixed_point_sum(first.centred.astype(np.int64), second.centred.astype(np.int64), multipliers)


def _mul(op: elementwise.Mul, operands: Sequence[Operand], site: Site) -> Integers:
    first, second = operands
    multiplier = product_multiplier(_quant(first).scale, _quant(second).scale, site.quant.scale)
    return requantise(accumulated(first.centred * second.centred), multiplier, site.arithmetic)


def _means(sums: Reals, count: int, operand: Operand, site: Site) -> Integers:
    multiplier = quantise_multiplier(_quant(operand).scale / (site.quant.scale * count))
    return requantise(accumulated(sums), multiplier, site.arithmetic)


def _average_pool2d(op: window.AveragePool2d, operands: Sequence[Operand], site: Site) -> Integers:
    sums = pool_sums(op, operands[0].centred)
    counts = np.broadcast_to(pool_counts(op, operands[0].centred), sums.shape)
    averages = np.zeros(sums.shape, dtype=np.int64)
    for count in np.unique(counts):
        averages[counts == count] = _means(sums[counts == count], int(count), operands[0], site)
    return averages


def _reduce_mean(op: reduction.ReduceMean, operands: Sequence[Operand], site: Site) -> Integers:
    centred = operands[0].centred
    count = math.prod(centred.shape[axis] for axis in op.axes)
    return _means(centred.sum(axis=op.axes, keepdims=op.keepdims), count, operands[0], site)


def _softmax(op: reduction.Softmax, operands: Sequence[Operand], site: Site) -> Integers:
    rows = np.moveaxis(operands[0].array.astype(np.int64), op.axis, -1)
    probabilities = np.moveaxis(softmax_rows(rows, _quant(operands[0]).scale), -1, op.axis)
    return requantise(probabilities, probability_multiplier(site.quant.scale), Arithmetic.ONNX)


QUANTISED: Mapping[type[Op], QuantisedFunction] = {
    window.Conv2d: _products(convolution),
    window.DepthwiseConv2d: _products(depthwise_convolution),
    linear.FullyConnected: _products(lambda op, data, weights: data @ weights.T),
    linear.MatMul: _products(lambda op, a, b: np.asarray(np.matmul(a, b))),
    elementwise.Add: _sum,
    elementwise.Sub: _sum,
    elementwise.Mul: _mul,
    window.AveragePool2d: _average_pool2d,
    reduction.ReduceMean: _reduce_mean,
    reduction.Softmax: _softmax,
}
"""By operator: its result in steps of the result's scale, before the zero point is added."""


def compute_quantised(op: Op, operands: Sequence[Operand], site: Site) -> Array:
    """The elements of an operator's quantised result: plus the zero point, clamped to the type and the fused
    activation."""
    steps = QUANTISED[type(op)](op, operands, site)
    bounds = quantised_bounds(getattr(op, "clamp", None), site.result)
    return saturated(steps + site.quant.zero_point, site.result, bounds)
