# SPDX-License-Identifier: Apache-2.0
"""Convolution and transposed convolution of any number of axes, with operands computed at run time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op
from stowage.ir.ops.transposed import ConvTranspose2d, ConvTranspose3d
from stowage.ir.ops.volume import Conv3d
from stowage.ir.ops.window import Conv2d
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel
from stowage.target.kernels.operator_trial import OperatorTrial, check_close, operator_trial, tensor

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
        ConvTranspose2d((12, 12), strides=(2, 2), groups=2),
        ConvTranspose3d((5, 6, 7), pads=(1, 0, 2), groups=2),
        ConvTranspose3d((9, 10, 11), strides=(2, 3, 1), dilations=(1, 2, 3)),
    ],
)
def test_transposed_convolution(op: ConvTranspose2d | ConvTranspose3d) -> None:
    axes = len(op.size)
    trials = [trial(op, (2, *(4,) * axes, 4), (6, *(3,) * axes, 4 // op.groups), (6,))]
    trials += [trial(op, (1, 1, *(3,) * (axes - 1), 2), (2, 2, *(1,) * (axes - 1), 2 // op.groups), (2,))]
    check_close(trials, relative=1e-5, absolute=1e-5)


def test_only_floats() -> None:
    with pytest.raises(NoKernel, match="conv3d of f16"):
        trial(Conv3d(), (1, 2, 2, 2, 1), (1, 1, 1, 1, 1), dtype=DType.F16)
