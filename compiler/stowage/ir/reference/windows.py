# SPDX-License-Identifier: Apache-2.0
"""Convolution and pooling sums over reals: input [N, H, W, C], summed tap by tap of the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.ops.window_shape import Pair, WindowAxis, output_extents, window_axes
from stowage.ir.reference.operand import Reals

Axes = tuple[WindowAxis, WindowAxis]
AnyArray = NDArray[Any]


def taps(data: AnyArray, axes: Axes, padding: float) -> Iterator[tuple[Pair, AnyArray]]:
    """For every (row, column) of the kernel the elements under it at all places of the window: [N, OH, OW, C]."""
    height, width = axes
    around = ((0, 0), (height.before, height.after), (width.before, width.after), (0, 0))
    padded = np.pad(data, around, constant_values=padding)
    rows, columns = output_extents((data.shape[1], data.shape[2]), axes)
    for row in range(height.kernel):
        for column in range(width.kernel):
            vertical = _steps(row * height.dilation, rows, height.stride)
            horizontal = _steps(column * width.dilation, columns, width.stride)
            yield (row, column), padded[:, vertical, horizontal, :]


def _steps(first: int, count: int, stride: int) -> slice:
    return slice(first, first + (count - 1) * stride + 1, stride)


def convolution(op: Conv2d, data: Reals, weights: Reals) -> Reals:
    """Sums of products, groups side by side: weights [O, KH, KW, I / groups] -> [N, OH, OW, O]."""
    outputs, kernel_height, kernel_width, taken = weights.shape
    axes = window_axes((kernel_height, kernel_width), op.strides, op.pads, op.dilations)
    grouped = weights.reshape(op.groups, outputs // op.groups, kernel_height, kernel_width, taken)
    total: Any = 0.0
    places: tuple[int, ...] = ()
    for (row, column), under in taps(data, axes, 0.0):
        places = under.shape[:3]
        inputs = under.reshape(-1, op.groups, taken).swapaxes(0, 1)
        total = total + inputs @ grouped[:, :, row, column, :].swapaxes(1, 2)
    return np.asarray(total, dtype=np.float64).swapaxes(0, 1).reshape(*places, outputs)


def depthwise_convolution(op: DepthwiseConv2d, data: Reals, weights: Reals) -> Reals:
    """Sums of products of channels: weights [KH, KW, O] -> [N, OH, OW, O]; output o reads channel o // (O // C)."""
    kernel_height, kernel_width, outputs = weights.shape
    axes = window_axes((kernel_height, kernel_width), op.strides, op.pads, op.dilations)
    repeated = np.repeat(data, outputs // data.shape[3], axis=3)
    total: Any = 0.0
    for (row, column), under in taps(repeated, axes, 0.0):
        total = total + under * weights[row, column]
    return np.asarray(total, dtype=np.float64)


def pool_sums(op: AveragePool2d, data: Reals) -> Reals:
    """Sums under the window: [N, OH, OW, C]."""
    axes = window_axes(op.kernel, op.strides, op.pads, op.dilations)
    return np.asarray(sum(under for _, under in taps(data, axes, 0.0)), dtype=np.float64)


def pool_counts(op: AveragePool2d, data: Reals) -> Reals:
    """How many elements each sum counts: [1, OH, OW, 1]."""
    if op.count_include_pad:
        return np.full((1, 1, 1, 1), float(op.kernel[0] * op.kernel[1]))
    return pool_sums(op, np.ones((1, *data.shape[1:3], 1)))


def max_pool(op: MaxPool2d, data: AnyArray) -> AnyArray:
    """Largest elements under the window, of any element type."""
    axes = window_axes(op.kernel, op.strides, op.pads, op.dilations)
    lowest = -np.inf if data.dtype.kind == "f" else np.iinfo(data.dtype).min
    largest = None
    for _, under in taps(data, axes, lowest):
        largest = under if largest is None else np.maximum(largest, under)
    assert largest is not None
    return largest
