# SPDX-License-Identifier: Apache-2.0
"""Convolution and transposed convolution of any number of axes, with operands computed at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op
from stowage.ir.ops.transposed import ConvTranspose2d, ConvTranspose3d
from stowage.ir.ops.volume import Conv3d
from stowage.ir.ops.window import Conv2d
from stowage.ir.tensor_type import Quant, TensorType
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_close,
    check_equal,
    integers,
    operator_trial,
    tensor,
)

RANDOM = np.random.default_rng(8)
RANGED = (-1.0, 2.0)


def trial(op: Op, *shapes: tuple[int, ...], dtype: DType = DType.F32) -> OperatorTrial:
    arrays: list[Any] = [RANDOM.standard_normal(shape).astype(dtype.numpy) for shape in shapes]
    return operator_trial(lower, op, [(tensor(array.shape, dtype), array) for array in arrays])


@pytest.mark.parametrize("biased", [False, True])
def test_convolution_with_operands_of_run_time(biased: bool) -> None:
    shapes: list[tuple[Conv2d | Conv3d, tuple[int, ...], tuple[int, ...]]] = [
        (Conv2d(), (2, 4, 5, 3), (4, 3, 2, 3)),
        (Conv2d((2, 1), (1, 2, 0, 1), (1, 2), 2, RANGED), (1, 6, 7, 4), (6, 2, 3, 2)),
        (Conv2d(groups=3), (1, 4, 4, 3), (3, 3, 3, 1)),
        (Conv3d(), (2, 3, 4, 5, 2), (3, 2, 3, 2, 2)),
        (Conv3d((2, 1, 3), (1, 0, 2, 2, 1, 0), (1, 2, 1), 2), (1, 5, 6, 7, 4), (2, 3, 2, 3, 2)),
        (Conv3d(pads=(2, 2, 2, 2, 2, 2)), (1, 1, 1, 1, 1), (1, 3, 3, 3, 1)),
        (Conv3d(pads=(4, 0, 4, 4, 0, 4)), (1, 2, 1, 2, 1), (1, 3, 1, 3, 1)),
    ]
    trials = [trial(op, data, weights, *[weights[:1]] * biased) for op, data, weights in shapes]
    check_close(trials, relative=1e-5, absolute=1e-5)


@pytest.mark.parametrize(
    "op",
    [
        ConvTranspose2d((6, 6)),
        ConvTranspose2d((9, 14), strides=(2, 3)),
        ConvTranspose2d((8, 7), strides=(2, 2), pads=(1, 1), dilations=(2, 1)),
        ConvTranspose2d((12, 12), strides=(2, 2), groups=2, clamp=RANGED),
        ConvTranspose3d((5, 6, 7), pads=(1, 0, 2), groups=2),
        ConvTranspose3d((9, 10, 11), strides=(2, 3, 1), dilations=(1, 2, 3)),
    ],
)
def test_transposed_convolution(op: ConvTranspose2d | ConvTranspose3d) -> None:
    axes = len(op.size)
    trials = [trial(op, (2, *(4,) * axes, 4), (6, *(3,) * axes, 4 // op.groups), (6,))]
    trials += [trial(op, (1, 1, *(3,) * (axes - 1), 2), (2, 2, *(1,) * (axes - 1), 2 // op.groups), (2,))]
    check_close(trials, relative=1e-5, absolute=1e-5)


def integer_trial(op: ConvTranspose2d, shapes: Sequence[tuple[int, ...]], *, per_channel: bool) -> OperatorTrial:
    data, weights, bias = shapes
    scales = tuple(float(scale) for scale in RANDOM.uniform(0.01, 0.1, bias))
    points = (0,) * len(scales)
    quant = Quant(scales, points, 0) if per_channel else Quant(scales[:1], (0,))
    types = tensor(data, DType.I8, 0.05, 7), TensorType(weights, DType.I8, quant), tensor(bias, DType.I32)
    arrays = integers(RANDOM, types[0]), integers(RANDOM, types[1]), RANDOM.integers(-5000, 5000, bias, dtype=np.int32)
    (made,) = op.result_types(types)
    operands = list(zip(types, arrays, strict=True))
    return operator_trial(lower, op, operands, result=tensor(made.shape, DType.I8, 1.5, -3), constants=(1, 2))


INTEGERS: list[tuple[ConvTranspose2d, tuple[tuple[int, ...], ...]]] = [
    (ConvTranspose2d((6, 6)), ((2, 4, 4, 4), (6, 3, 3, 4), (6,))),
    (ConvTranspose2d((8, 8), (2, 2)), ((1, 4, 4, 5), (8, 2, 2, 5), (8,))),
    (ConvTranspose2d((9, 14), (2, 3), (1, 2)), ((2, 4, 4, 4), (5, 4, 2, 4), (5,))),
    (ConvTranspose2d((8, 7), (3, 2), (2, 1), (2, 3), 2), ((1, 3, 4, 6), (4, 3, 2, 3), (4,))),
    (ConvTranspose2d((7, 9), (3, 4), groups=3, clamp=RANGED), ((1, 3, 2, 3), (9, 1, 2, 1), (9,))),
    (ConvTranspose2d((1, 1)), ((1, 1, 1, 1), (1, 1, 1, 1), (1,))),
]


@pytest.mark.parametrize("sanitise", [False, True])
def test_transposed_convolution_of_integers_is_the_reference_bit_for_bit(sanitise: bool) -> None:
    trials = [integer_trial(op, shapes, per_channel=each) for op, shapes in INTEGERS for each in (False, True)]
    check_equal(trials, sanitise=sanitise)


def test_only_floats() -> None:
    with pytest.raises(NoKernel, match="conv3d of f16"):
        trial(Conv3d(), (1, 2, 2, 2, 1), (1, 1, 1, 1, 1), dtype=DType.F16)
