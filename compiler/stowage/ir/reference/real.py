# SPDX-License-Identifier: Apache-2.0
"""What the operators compute over real numbers, in float64: one function an operator, one table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from stowage.ir.ops import elementwise, linear, reduction, window
from stowage.ir.ops.op import Op
from stowage.ir.ops.resample import Resample
from stowage.ir.ops.sampling import DeformConv2d, GridSample, RoiAlign
from stowage.ir.ops.transposed import ConvTranspose2d, ConvTranspose3d
from stowage.ir.ops.unpooling import Unpool
from stowage.ir.ops.volume import Conv3d
from stowage.ir.reference.functions import FUNCTIONS, RealFunction
from stowage.ir.reference.operand import Reals
from stowage.ir.reference.recurrent import RECURRENT
from stowage.ir.reference.reductions import REDUCTIONS
from stowage.ir.reference.resampled import resample
from stowage.ir.reference.sampled import deform_conv2d, grid_sample, roi_align
from stowage.ir.reference.transposed import conv_transpose
from stowage.ir.reference.unpooled import unpool
from stowage.ir.reference.volumes import conv3d
from stowage.ir.reference.windows import convolution, depthwise_convolution, pool_counts, pool_sums


def _with_bias(sums: Reals, operands: Sequence[Reals]) -> Reals:
    return sums + operands[2] if len(operands) > 2 else sums


def _conv2d(op: window.Conv2d, operands: Sequence[Reals]) -> Reals:
    return _with_bias(convolution(op, operands[0], operands[1]), operands)


def _depthwise_conv2d(op: window.DepthwiseConv2d, operands: Sequence[Reals]) -> Reals:
    return _with_bias(depthwise_convolution(op, operands[0], operands[1]), operands)


def _average_pool2d(op: window.AveragePool2d, operands: Sequence[Reals]) -> Reals:
    return pool_sums(op, operands[0]) / pool_counts(op, operands[0])


def _fully_connected(op: linear.FullyConnected, operands: Sequence[Reals]) -> Reals:
    return _with_bias(operands[0] @ operands[1].T, operands)


def _matmul(op: linear.MatMul, operands: Sequence[Reals]) -> Reals:
    return np.asarray(np.matmul(operands[0], operands[1]))


def _gemm(op: linear.Gemm, operands: Sequence[Reals]) -> Reals:
    a = operands[0].T if op.transpose_a else operands[0]
    b = operands[1].T if op.transpose_b else operands[1]
    product = op.alpha * (a @ b)
    return product + op.beta * operands[2] if len(operands) > 2 else product


def _batch_normalization(op: reduction.BatchNormalization, operands: Sequence[Reals]) -> Reals:
    shape = [-1 if axis == op.axis else 1 for axis in range(operands[0].ndim)]
    scale, bias, mean, variance = (operand.reshape(shape) for operand in operands[1:])
    return (operands[0] - mean) / np.sqrt(variance + op.epsilon) * scale + bias


def _reduce_mean(op: reduction.ReduceMean, operands: Sequence[Reals]) -> Reals:
    count = math.prod(operands[0].shape[axis] for axis in op.axes)
    return np.asarray(operands[0].sum(axis=op.axes, keepdims=op.keepdims) / np.float64(count))


def _softmax(op: reduction.Softmax, operands: Sequence[Reals]) -> Reals:
    exponentials = np.exp(operands[0] - operands[0].max(axis=op.axis, keepdims=True, initial=-np.inf))
    return np.asarray(exponentials / exponentials.sum(axis=op.axis, keepdims=True))


def _hard_sigmoid(op: elementwise.HardSigmoid, operands: Sequence[Reals]) -> Reals:
    return np.clip(op.alpha * operands[0] + op.beta, 0.0, 1.0)


def _leaky_relu(op: elementwise.LeakyRelu, operands: Sequence[Reals]) -> Reals:
    return np.where(operands[0] >= 0, operands[0], op.alpha * operands[0])


REAL: Mapping[type[Op], RealFunction] = {
    **FUNCTIONS,
    **REDUCTIONS,
    **RECURRENT,
    ConvTranspose2d: conv_transpose,
    ConvTranspose3d: conv_transpose,
    Conv3d: conv3d,
    DeformConv2d: deform_conv2d,
    GridSample: grid_sample,
    Resample: resample,
    RoiAlign: roi_align,
    Unpool: unpool,
    window.Conv2d: _conv2d,
    window.DepthwiseConv2d: _depthwise_conv2d,
    window.AveragePool2d: _average_pool2d,
    linear.FullyConnected: _fully_connected,
    linear.MatMul: _matmul,
    linear.Gemm: _gemm,
    linear.Det: lambda op, operands: np.asarray(np.linalg.det(operands[0])),
    reduction.BatchNormalization: _batch_normalization,
    reduction.ReduceMean: _reduce_mean,
    reduction.Softmax: _softmax,
    elementwise.Add: lambda op, operands: operands[0] + operands[1],
    elementwise.Sub: lambda op, operands: operands[0] - operands[1],
    elementwise.Mul: lambda op, operands: operands[0] * operands[1],
    elementwise.Div: lambda op, operands: operands[0] / operands[1],
    elementwise.Relu: lambda op, operands: np.maximum(operands[0], 0.0),
    elementwise.Clip: lambda op, operands: np.minimum(np.maximum(operands[0], op.lowest), op.highest),
    elementwise.LeakyRelu: _leaky_relu,
    elementwise.HardSigmoid: _hard_sigmoid,
    elementwise.HardSwish: lambda op, operands: operands[0] * np.clip(operands[0] / 6.0 + 0.5, 0.0, 1.0),
    elementwise.Sigmoid: lambda op, operands: 1.0 / (1.0 + np.exp(-operands[0])),
    elementwise.Tanh: lambda op, operands: np.tanh(operands[0]),
}
"""By operator: the function of its record and its operands, without the fused clamp."""


def compute_reals(op: Op, operands: Sequence[Reals]) -> Reals:
    """The real result of an operator, its fused clamp applied."""
    with np.errstate(all="ignore"):
        result = REAL[type(op)](op, operands)
    clamp = getattr(op, "clamp", None)
    return result if clamp is None else np.clip(result, *clamp)
