# SPDX-License-Identifier: Apache-2.0
"""What the operators compute over quantised tensors where TFLite's reference kernels have a definition of their own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.ops import combination, elementwise, reduction, window
from stowage.ir.ops.op import Op
from stowage.ir.quantised_clamp import quantised_bounds
from stowage.ir.reference.operand import Integers, Operand
from stowage.ir.reference.quantised_site import QuantisedFunction, Site, accumulated, quant_of
from stowage.ir.reference.windows import pool_counts, pool_sums
from stowage.ir.requantise import Rounding, requantise
from stowage.ir.tflite.change_of_scale import clip_quotient, rescaled
from stowage.ir.tflite.function import (
    prelu_multipliers,
    quantised_hard_swish,
    quantised_leaky_relu,
    quantised_logistic,
    quantised_prelu,
    quantised_tanh,
)
from stowage.ir.tflite.mean import mean_multiplier, quotient_multiplier
from stowage.ir.tflite.sigmoid_words import logistic_words, tanh_words
from stowage.ir.tflite.softmax import softmax_rows
from stowage.ir.tflite.softmax_words import softmax_of_words
from stowage.ir.tflite.sum import fixed_point_sum, sum_multipliers


def _centred(operand: Operand) -> Integers:
    return operand.centred.astype(np.int64)


def _sum(op: elementwise.Add | elementwise.Sub, operands: Sequence[Operand], site: Site) -> Integers:
    first, second = operands
    scales = quant_of(first).scale, quant_of(second).scale, site.quant.scale
    multipliers = sum_multipliers(*scales, site.result.dtype.size_bytes, isinstance(op, elementwise.Sub))
    return fixed_point_sum(_centred(first), _centred(second), multipliers)


def _average_pool2d(op: window.AveragePool2d, operands: Sequence[Operand], site: Site) -> Integers:
    """Quotients of the bare integers, from which the zero point is taken to be added again."""
    centred = operands[0].centred
    counts = pool_counts(op, centred)
    sums = pool_sums(op, centred) + counts * quant_of(operands[0]).zero_point
    counts = np.broadcast_to(counts, sums.shape)
    averages = np.zeros(sums.shape, dtype=np.int64)
    for count in np.unique(counts):
        chosen = counts == count
        averages[chosen] = requantise(accumulated(sums[chosen]), quotient_multiplier(int(count)), Rounding.AWAY)
    return averages - site.quant.zero_point


def _reduce_mean(op: reduction.ReduceMean, operands: Sequence[Operand], site: Site) -> Integers:
    centred = operands[0].centred
    count = math.prod(centred.shape[axis] for axis in op.axes)
    multiplier = mean_multiplier(quant_of(operands[0]).scale, site.quant.scale, count)
    sums = accumulated(centred.sum(axis=op.axes, keepdims=op.keepdims))
    return requantise(sums, multiplier, Rounding.TWICE)


def _softmax(op: reduction.Softmax, operands: Sequence[Operand], site: Site) -> Integers:
    rows = np.moveaxis(operands[0].array.astype(np.int64), op.axis, -1)
    if site.result.dtype is DType.I16:
        return np.moveaxis(softmax_of_words(rows, quant_of(operands[0]).scale), -1, op.axis)
    return np.moveaxis(softmax_rows(rows, quant_of(operands[0]).scale), -1, op.axis)


def _clip(op: elementwise.Clip | elementwise.Relu, operands: Sequence[Operand], site: Site) -> Integers:
    clamp = (op.lowest, op.highest) if isinstance(op, elementwise.Clip) else (0.0, math.inf)
    lowest, highest = quantised_bounds(clamp, site.result)
    steps = rescaled(_centred(operands[0]), clip_quotient(op, quant_of(operands[0]).scale, site.quant.scale))
    return np.clip(steps, lowest - site.quant.zero_point, highest - site.quant.zero_point)


def _prelu(op: combination.PRelu, operands: Sequence[Operand], site: Site) -> Integers:
    data, slopes = operands
    kept, sloped = prelu_multipliers(quant_of(data), quant_of(slopes), site.quant)
    return quantised_prelu(_centred(data), _centred(slopes), kept, sloped)


def _leaky_relu(op: elementwise.LeakyRelu, operands: Sequence[Operand], site: Site) -> Integers:
    return quantised_leaky_relu(_centred(operands[0]), quant_of(operands[0]), site.quant, op.alpha)


def _sigmoid(op: elementwise.Sigmoid, operands: Sequence[Operand], site: Site) -> Integers:
    if site.result.dtype is DType.I16:
        return logistic_words(_centred(operands[0]), quant_of(operands[0]).scale)
    return quantised_logistic(_centred(operands[0]), quant_of(operands[0]))


def _tanh(op: elementwise.Tanh, operands: Sequence[Operand], site: Site) -> Integers:
    if site.result.dtype is DType.I16:
        return tanh_words(_centred(operands[0]), quant_of(operands[0]).scale)
    return quantised_tanh(_centred(operands[0]), quant_of(operands[0]))


QUANTISED_IN_TFLITE: Mapping[type[Op], QuantisedFunction] = {
    elementwise.Add: _sum,
    elementwise.Sub: _sum,
    combination.PRelu: _prelu,
    elementwise.Clip: _clip,
    elementwise.Relu: _clip,
    elementwise.LeakyRelu: _leaky_relu,
    elementwise.Sigmoid: _sigmoid,
    elementwise.Tanh: _tanh,
    elementwise.HardSwish: lambda op, operands, site: quantised_hard_swish(
        _centred(operands[0]), quant_of(operands[0]), site.quant
    ),
    window.AveragePool2d: _average_pool2d,
    reduction.ReduceMean: _reduce_mean,
    reduction.Softmax: _softmax,
}
"""By operator: its result in steps of the result's scale, before the zero point is added."""
