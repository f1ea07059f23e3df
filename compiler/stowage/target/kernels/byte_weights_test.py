# SPDX-License-Identifier: Apache-2.0
"""Layers of float32 inputs and 8-bit weights against the reference, and their overlaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d
from stowage.ir.tensor_type import Quant, TensorType
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_close,
    check_overlaps,
    distinct,
    operator_trial,
    reals,
    tensor,
)

Shape = tuple[int, ...]
Layer = FullyConnected | Conv2d | DepthwiseConv2d
LAYERS: list[tuple[Layer, Shape, Shape, int]] = [
    (FullyConnected(), (3, 40), (5, 40), 0),
    (FullyConnected((0.0, 4.0)), (2, 1, 70), (3, 70), 0),
    (Conv2d((2, 1), (1, 1, 0, 1)), (2, 6, 5, 3), (4, 3, 3, 3), 0),
    (Conv2d((1, 1), (2, 2, 2, 2), (2, 2), groups=2, clamp=(-1.0, 3.0)), (1, 5, 7, 4), (6, 3, 3, 2), 0),
    (DepthwiseConv2d((1, 2), (1, 0, 1, 1)), (2, 5, 6, 3), (3, 2, 6), 2),
    (DepthwiseConv2d((1, 1), (0, 0, 0, 0), (1, 2)), (1, 3, 7, 5), (2, 3, 5), 2),
]


def trial(random: np.random.Generator, op: Layer, data: Shape, weights: Shape, axis: int, along: bool) -> OperatorTrial:
    """With a bias where weights have a scale an output channel."""
    channels = weights[axis]
    scales = tuple(float(np.float32(each)) for each in 2.0 ** random.uniform(-9, -5, channels))
    quant = Quant(scales, (0,) * channels, axis) if along else Quant(scales[:1], (0,))
    types = [tensor(data, DType.F32), TensorType(weights, DType.I8, quant), tensor((channels,), DType.F32)]
    arrays = [reals(random, types[0]), random.integers(-127, 128, weights).astype(np.int8), reals(random, types[2])]
    count = 3 if along else 2
    return operator_trial(lower, op, list(zip(types, arrays, strict=True))[:count], constants=range(1, count))


@pytest.mark.parametrize("along", [False, True])
def test_layers(along: bool) -> None:
    random = np.random.default_rng(1)
    made = [trial(random, *each, along) for each in LAYERS]
    assert {each.call.function for each in made} == {"stw_conv2d_f32_s8"}
    assert all(each.call.constants[0].array.dtype == np.int8 for each in made)
    check_close(made, relative=1e-5, absolute=1e-5)


@pytest.mark.parametrize(("op", "data", "weights", "axis"), LAYERS)
def test_layers_may_lie_over_their_input(op: Layer, data: Shape, weights: Shape, axis: int) -> None:
    random = np.random.default_rng(2)
    types = [tensor(data, DType.I32), tensor(weights, DType.I8, 2.0**-7)]
    floats = (distinct(random, types[0]) % 1000).astype(np.float32)
    operands: list[tuple[TensorType, Array]] = [
        (tensor(data, DType.F32), floats),
        (types[1], np.full(weights, 31, np.int8)),
    ]
    check_overlaps([operator_trial(lower, replace(op, clamp=None), operands, constants=(1,))])
