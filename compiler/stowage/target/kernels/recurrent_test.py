# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers of floats against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op
from stowage.ir.ops.recurrent import RESULTS, Gru, Lstm, Recurrent, Rnn
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import OperatorTrial, check_close, check_overlaps, operator_trial, tensor

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
    results = RESULTS if make is Lstm else ("sequence", "hidden")
    trials = [
        layer(make(reverse=reverse, result=result), *extents)
        for reverse in (False, True)
        for result in results
        for extents in ((1, 1, 3, 5), (6, 2, 4, 3), (3, 1, 1, 1))
    ]
    check_close(trials, relative=2e-5, absolute=2e-6)


@pytest.mark.parametrize("make", VARIANTS)
def test_the_output_may_be_the_states(make: Any) -> None:
    trials = [layer(make(result="hidden"), *extents) for extents in ((1, 3, 4, 5), (4, 2, 3, 3))]
    trials += [layer(make(), *extents) for extents in ((1, 3, 4, 5), (4, 1, 3, 3))]
    assert all(each.call.overlaps for each in trials)
    check_overlaps(trials)
    assert not layer(make(), 4, 2, 3, 3).call.overlaps
