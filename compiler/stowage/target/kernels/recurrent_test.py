# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers of floats against the reference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op
from stowage.ir.ops.recurrent import RESULTS, Gru, Lstm, Recurrent, Rnn
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import Direction, Overlap
from stowage.target.kernels.operator_trial import OperatorTrial, check_close, check_overlaps, operator_trial, tensor

RANDOM = np.random.default_rng(8)
SHAPES = 300


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


def legible(made: OperatorTrial) -> OperatorTrial:
    """The same with numbers under which no function saturates, so that every element shows in the output."""
    shown = [RANDOM.uniform(0.02, 0.25, array.shape).astype(np.float32) for array in made.arrays]
    return replace(made, arrays=tuple(shown))


@pytest.mark.parametrize("make", VARIANTS)
@pytest.mark.parametrize("result", RESULTS)
def test_safe_distances(make: Any, result: str) -> None:
    """Over the input and, where the output may be these, over the states; in both orders of the steps."""
    if make is not Lstm and result not in ("sequence", "hidden"):
        return
    extents = RANDOM.integers((1, 1, 1, 1), (7, 4, 9, 9), (SHAPES, 4))
    trials = [
        legible(layer(make(reverse=bool(k % 2), result=result), *each.tolist())) for k, each in enumerate(extents)
    ]
    check_overlaps(trials)
    tight = [overlap for each in trials for overlap in each.call.overlaps if overlap.distance_bytes > 0]
    assert len(tight) > SHAPES / 10 or result == "states"
    assert {overlap.direction for overlap in tight} == set(Direction) or result != "sequence"


@pytest.mark.parametrize("make", VARIANTS)
def test_the_output_may_be_the_states(make: Any) -> None:
    trials = [layer(make(result="hidden"), *extents) for extents in ((1, 3, 4, 5), (4, 2, 3, 3))]
    trials += [layer(make(), *extents) for extents in ((1, 3, 4, 5), (4, 1, 3, 3))]
    for each in trials:
        states = range(4, len(each.call.arguments) - 2)
        assert {overlap.input for overlap in each.call.overlaps} == {0, *states}
    assert [overlap.input for overlap in layer(make(), 4, 2, 3, 3).call.overlaps] == [0]


def test_a_sequence_no_wider_than_its_input_may_be_the_input() -> None:
    (overlap, *_) = layer(Lstm(), 9, 1, 8, 8).call.overlaps
    assert overlap == Overlap(0, 0)
    (overlap, *_) = layer(Lstm(reverse=True), 9, 1, 6, 8).call.overlaps
    assert overlap == Overlap(0, 4 * 2 * 8, Direction.BACKWARD)
