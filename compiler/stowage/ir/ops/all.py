# SPDX-License-Identifier: Apache-2.0
"""The table of all operators by mnemonic."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stowage.ir.ops import elementwise, linear, movement, reduction, window
from stowage.ir.ops.op import Op

_RECORDS: tuple[type[Op], ...] = (
    window.Conv2d,
    window.DepthwiseConv2d,
    window.MaxPool2d,
    window.AveragePool2d,
    linear.FullyConnected,
    linear.MatMul,
    linear.Gemm,
    elementwise.Add,
    elementwise.Sub,
    elementwise.Mul,
    elementwise.Div,
    elementwise.Relu,
    elementwise.Clip,
    elementwise.LeakyRelu,
    elementwise.HardSigmoid,
    elementwise.HardSwish,
    elementwise.Sigmoid,
    elementwise.Tanh,
    elementwise.Cast,
    elementwise.Quantize,
    elementwise.Dequantize,
    elementwise.Table,
    reduction.ReduceMean,
    reduction.Softmax,
    reduction.ArgMax,
    reduction.BatchNormalization,
    movement.Reshape,
    movement.Transpose,
    movement.Concat,
    movement.Slice,
    movement.Pad,
    movement.Resize,
    movement.Constant,
)

OPS: Mapping[str, type[Op]] = MappingProxyType({record.mnemonic: record for record in _RECORDS})
"""Operator records by mnemonic."""
