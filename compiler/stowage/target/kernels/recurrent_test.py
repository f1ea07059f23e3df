# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers and transposed convolution of floats against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op
from stowage.ir.ops.recurrent import Gru, Lstm, Recurrent, Rnn
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import OperatorTrial, check_close, operator_trial, tensor

RANDOM = np.random.default_rng(8)


def trial(op: Op, *shapes: tuple[int, ...]) -> OperatorTrial:
    arrays: list[Any] = [RANDOM.standard_normal(shape).astype(np.float32) for shape in shapes]
    return operator_trial(lower, op, [(tensor(array.shape, DType.F32), array) for array in arrays])


def layer(op: Recurrent, steps: int, batches: int, inputs: int, hidden: int) -> OperatorTrial:
    rows = op.gates * hidden
    states = [(batches, hidden)] * len(op.states)
    return trial(op, (steps, batches, inputs), (rows, inputs), (rows, hidden), (2 * rows,), *states)


VARIANTS: list[Any] = [Lstm, Gru, lambda **fields: Gru(reset_after=True, **fields), Rnn]
VARIANTS.append(lambda **fields: Rnn(relu=True, **fields))


@pytest.mark.parametrize("make", VARIANTS)
def test_recurrent_layers(make: Any) -> None:
    results = ("sequence", "hidden", "cell") if make is Lstm else ("sequence", "hidden")
    trials = [
        layer(make(reverse=reverse, result=result), *extents)
        for reverse in (False, True)
        for result in results
        for extents in ((1, 1, 3, 5), (6, 2, 4, 3), (3, 1, 1, 1))
    ]
    check_close(trials, relative=2e-5, absolute=2e-6)


@pytest.mark.parametrize(
    "op",
    [
        ConvTranspose2d((6, 6)),
        ConvTranspose2d((9, 14), strides=(2, 3)),
        ConvTranspose2d((8, 7), strides=(2, 2), pads=(1, 1, 0, 0), dilations=(2, 1)),
        ConvTranspose2d((12, 12), strides=(2, 2), groups=2),
    ],
)
def test_transposed_convolution(op: ConvTranspose2d) -> None:
    trials = [trial(op, (2, 4, 4, 4), (6, 3, 3, 4 // op.groups), (6,))]
    trials += [trial(op, (1, 1, 3, 2), (2, 2, 1, 2 // op.groups), (2,))]
    check_close(trials, relative=1e-5, absolute=1e-5)
