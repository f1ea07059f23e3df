# SPDX-License-Identifier: Apache-2.0
"""What the operators compute over 8-bit quantised tensors, in the integers that the kernels compute.

Products round as the graph's arithmetic says; what else TFLite defines in its own way stands in `quantised_tflite`. An
operator that is not in the table has no integer kernel: it means "dequantise, compute in float64, quantise".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.fixed_point_add import add_multipliers, fixed_point_sum
from stowage.ir.graph import Arithmetic, Array
from stowage.ir.ops import elementwise, linear, reduction, window
from stowage.ir.ops.op import Op
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.product_scale import product_multipliers, product_rounding
from stowage.ir.quantised_clamp import quantised_bounds
from stowage.ir.reference.operand import Integers, Operand, Reals, saturated
from stowage.ir.reference.quantised_site import QuantisedFunction, Site, accumulated, quant_of
from stowage.ir.reference.quantised_tflite import QUANTISED_IN_TFLITE
from stowage.ir.reference.transposed import conv_transpose
from stowage.ir.reference.windows import convolution, depthwise_convolution, pool_counts, pool_sums
from stowage.ir.requantise import Rounding, quantise_multiplier, requantise
from stowage.ir.softmax_fixed_point import probability_multiplier, softmax_rows
from stowage.ir.tflite.wide_product import requantise_wide, wide_multipliers

Sums = Callable[[Any, Reals, Reals], Reals]


def _products(sums: Sums) -> QuantisedFunction:
    """Requantised sums of products of input and weights, with one multiplier for each output channel."""

    def compute(op: Op, operands: Sequence[Operand], site: Site) -> Integers:
        data, weights = operands[:2]
        acc = sums(op, data.centred, weights.centred)
        if len(operands) > 2:
            acc = acc + operands[2].array.astype(np.float64)
        if data.type.dtype is DType.I16:
            wide = wide_multipliers(op, quant_of(data), quant_of(weights), site.quant)
            return requantise_wide(acc.astype(np.int64), wide)
        multipliers = product_multipliers(op, quant_of(data), quant_of(weights), site.quant, site.arithmetic)
        return requantise(accumulated(acc), multipliers, product_rounding(op, site.arithmetic))

    return compute


def _sum(op: elementwise.Add | elementwise.Sub, operands: Sequence[Operand], site: Site) -> Integers:
    first, second = operands
    subtract = isinstance(op, elementwise.Sub)
    multipliers = add_multipliers(quant_of(first).scale, quant_of(second).scale, site.quant.scale, subtract=subtract)
    return fixed_point_sum(first.centred.astype(np.int64), second.centred.astype(np.int64), multipliers)


def _mul(op: elementwise.Mul, operands: Sequence[Operand], site: Site) -> Integers:
    first, second = operands
    multipliers = product_multipliers(op, quant_of(first), quant_of(second), site.quant, site.arithmetic)
    return requantise(accumulated(first.centred * second.centred), multipliers, product_rounding(op, site.arithmetic))


def _means(sums: Reals, count: int, operand: Operand, site: Site) -> Integers:
    multiplier = quantise_multiplier(quant_of(operand).scale / (site.quant.scale * count))
    return requantise(accumulated(sums), multiplier, Rounding.ONCE)


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
    probabilities = np.moveaxis(softmax_rows(rows, quant_of(operands[0]).scale), -1, op.axis)
    return requantise(probabilities, probability_multiplier(site.quant.scale), Rounding.ONCE)


_QUANTISED: Mapping[type[Op], QuantisedFunction] = {
    window.Conv2d: _products(convolution),
    window.DepthwiseConv2d: _products(depthwise_convolution),
    ConvTranspose2d: _products(lambda op, data, weights: conv_transpose(op, (data, weights))),
    linear.FullyConnected: _products(lambda op, data, weights: data @ weights.T),
    linear.MatMul: _products(lambda op, a, b: np.asarray(np.matmul(a, b))),
    elementwise.Add: _sum,
    elementwise.Sub: _sum,
    elementwise.Mul: _mul,
    window.AveragePool2d: _average_pool2d,
    reduction.ReduceMean: _reduce_mean,
    reduction.Softmax: _softmax,
}
INTEGERS: Mapping[Arithmetic, Mapping[type[Op], QuantisedFunction]] = {
    Arithmetic.ONNX: _QUANTISED,
    Arithmetic.TFLITE: {**_QUANTISED, **QUANTISED_IN_TFLITE},
}
"""By arithmetic and operator: its result in steps of the result's scale, before the zero point is added."""


def has_integers(op: Op, arithmetic: Arithmetic) -> bool:
    """Whether an operator on quantised operands is defined in integers."""
    return type(op) in INTEGERS[arithmetic]


def compute_quantised(op: Op, operands: Sequence[Operand], site: Site) -> Array:
    """The elements of an operator's quantised result: plus the zero point, clamped to the type and the fused
    activation."""
    steps = INTEGERS[site.arithmetic][type(op)](op, operands, site)
    bounds = quantised_bounds(getattr(op, "clamp", None), site.result)
    return saturated(steps + site.quant.zero_point, site.result, bounds)
