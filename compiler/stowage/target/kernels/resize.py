# SPDX-License-Identifier: Apache-2.0
"""Resize of images: the nearest neighbour (sample.h) and bilinear interpolation (resize_linear.h)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Node
from stowage.ir.ops.movement import Resize
from stowage.ir.resize_coordinates import linear_taps, nearest_indices
from stowage.ir.tflite import resize
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, per_tensor, pointers, require_elements
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, KernelConstant, NoKernel, Overlap, Site
from stowage.target.kernels.sample import sample_call

FRACTION_BITS = 11
"""STW_FRACTION_BITS."""

Indices = NDArray[np.int64]


def lower_resize(node: Node, site: Site) -> KernelCall:
    """The call for Resize."""
    require_elements(node)
    op = node.op
    assert isinstance(op, Resize)
    if op.mode == "linear":
        return _linear(node, op, site.arithmetic)
    if op.mode != "nearest":
        raise NoKernel(f'resize in mode "{op.mode}"')
    batch, height, width, channels = node.inputs[0].type.shape
    rows, columns = nearest_indices(op, 0, height), nearest_indices(op, 1, width)
    whole = tuple(range(batch)), tuple(range(channels))
    return sample_call(node, (whole[0], tuple(rows.tolist()), tuple(columns.tolist()), whole[1]))


def _linear(node: Node, op: Resize, arithmetic: Arithmetic) -> KernelCall:
    batch, height, width, channels = node.inputs[0].type.shape
    dtype = node.output.type.dtype
    in_tflite = arithmetic is Arithmetic.TFLITE and node.output.type.quant is not None
    _check(node, dtype, in_tflite)
    taps = _integer_taps if in_tflite else _taps
    upper, lower, down = _needed(*taps(op, 0, height, dtype))
    left, right, across = _needed(*taps(op, 1, width, dtype))
    rows, columns = (np.stack(pair, 1) for pair in ((upper, lower), (left, right)))
    places = np.concatenate([rows.ravel() * width * channels, columns.ravel() * channels])
    return KernelCall(
        header="stowage/kernels/resize_linear.h",
        function=f"stw_resize_linear_{'tflite_' if in_tflite else ''}{SUFFIXES[dtype]}",
        parameters=(
            ("batch", batch),
            ("height", op.size[0]),
            ("width", op.size[1]),
            ("channels", channels),
            ("image_elements", height * width * channels),
            FORWARD,
        ),
        arguments=pointers(
            (CTYPES[dtype],), CTYPES[dtype], constants=("int32_t", "float" if dtype is DType.F32 else "int32_t")
        ),
        constants=(
            KernelConstant("places", places.astype(np.int32)),
            KernelConstant("fractions", np.concatenate([down, across])),
        ),
        overlaps=(
            Overlap(0, _distance_bytes(node, upper, left), Direction.FORWARD),
            Overlap(0, _distance_bytes(node, _turned(lower, height), _turned(right, width)), Direction.BACKWARD),
        ),
    )


def _check(node: Node, dtype: DType, in_tflite: bool) -> None:
    if dtype not in ((DType.I8, DType.I16) if in_tflite else (DType.F32, DType.I8)):
        raise NoKernel(f"linear resize of {dtype.value}")
    if node.output.type.quant is not None and per_tensor(node.inputs[0]) != per_tensor(node.output):
        raise NoKernel("a linear resize that changes the quantisation")


def _taps(op: Resize, axis: int, extent: int, dtype: DType) -> tuple[Indices, Indices, Array]:
    """Both indices, and the weight of the second as the kernel has it."""
    lower, upper, weights = linear_taps(op, axis, extent)
    if dtype is DType.F32:
        return lower, upper, weights
    scaled: Array = np.rint(weights.astype(np.float64) * 2**FRACTION_BITS).astype(np.int32)
    return lower, upper, scaled


def _integer_taps(op: Resize, axis: int, extent: int, dtype: DType) -> tuple[Indices, Indices, Array]:
    """The same with TFLite's weights, which have fewer bits."""
    lower, upper, weights = resize.integer_taps(op, axis, extent)
    return lower, upper, (weights << (FRACTION_BITS - resize.FRACTION_BITS)).astype(np.int32)


def _needed(first: Indices, second: Indices, weights: Array) -> tuple[Indices, Indices, Array]:
    """The same without what has no weight: the first stands for a second that counts nothing."""
    return first, np.where(weights == 0, first, second), weights


def _turned(indices: Indices, extent: int) -> Indices:
    """Indices that count from the end, of a walk that begins there."""
    return extent - 1 - indices[::-1]


def _distance_bytes(node: Node, upper: Indices, left: Indices) -> int:
    """The safe distance: when a pixel is read, from its upper left on, all of the output before it has been written."""
    batch, height, width, channels = node.inputs[0].type.shape
    rows, columns = len(upper), len(left)
    image = np.arange(rows)[:, None] * columns + np.arange(columns) - (upper[:, None] * width + left)
    growth = max(0, rows * columns - height * width) * (batch - 1)
    return max(0, int(image.max()) + growth) * channels * node.output.type.dtype.size_bytes
