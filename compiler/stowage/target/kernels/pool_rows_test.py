# SPDX-License-Identifier: Apache-2.0
"""Sums of rows and means of them against the reference, against the average pool that they stand for, and overlaps."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic
from stowage.ir.ops.pool_rows import PoolMean, PoolSum
from stowage.ir.ops.window import AveragePool2d
from stowage.ir.reference.interpreter import compute
from stowage.ir.reference.operand import Operand
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_equal,
    check_overlaps,
    integers,
    operator_trial,
    tensor,
)

SHAPES = [(1, 1, 5, 7), (1, 3, 2, 8), (1, 2, 1, 1)]
CHANNELS = (1, 1, 1, 7)
SUMS = tensor(CHANNELS, DType.I32, 0.1, 24 * 5)


def sums(random: np.random.Generator, shape: tuple[int, ...], *, earlier: bool) -> OperatorTrial:
    rows = tensor(shape, DType.I8, 0.1, 5)
    operands = [(rows, integers(random, rows))]
    if earlier:
        type_ = tensor((1, 1, 1, shape[3]), DType.I32, 0.1, 40)
        operands.append((type_, random.integers(-9000, 9000, type_.shape).astype(np.int32)))
    return operator_trial(lower, PoolSum(), operands)


def mean(
    random: np.random.Generator, arithmetic: Arithmetic, clamp: tuple[float, float] | None = None
) -> OperatorTrial:
    tflite = arithmetic is Arithmetic.TFLITE
    result = tensor(CHANNELS, DType.I8, 0.1 if tflite else 0.07, 5 if tflite else -9)
    array = random.integers(-24 * 128, 24 * 128, CHANNELS).astype(np.int32)
    op = PoolMean(AveragePool2d((6, 4), clamp=clamp))
    return operator_trial(lower, op, [(SUMS, array)], result=result, arithmetic=arithmetic)


@pytest.mark.parametrize("sanitise", [False, True])
def test_sums(sanitise: bool) -> None:
    random = np.random.default_rng(1)
    for earlier in (False, True):
        check_equal([sums(random, shape, earlier=earlier) for shape in SHAPES], sanitise=sanitise)


@pytest.mark.parametrize("arithmetic", list(Arithmetic))
def test_means(arithmetic: Arithmetic) -> None:
    random = np.random.default_rng(2)
    check_equal([mean(random, arithmetic, (-4.0, 5.0)) for _ in range(8)])


@pytest.mark.parametrize("arithmetic", list(Arithmetic))
def test_both_steps_make_what_the_average_pool_makes(arithmetic: Arithmetic) -> None:
    image, result = (tensor(shape, DType.I8, 0.1, 5) for shape in ((1, 6, 4, 7), CHANNELS))
    pool = AveragePool2d((6, 4), clamp=(-4.0, 5.0))
    for seed in range(20):
        array = integers(np.random.default_rng(seed), image)
        parts = [Operand(tensor((1, rows.shape[1], 4, 7), DType.I8, 0.1, 5), rows) for rows in np.split(array, [2], 1)]
        upper = Operand(tensor(CHANNELS, DType.I32, 0.1, 40), compute(PoolSum(), parts[:1], SUMS, arithmetic))
        both = Operand(SUMS, compute(PoolSum(), [parts[1], upper], SUMS, arithmetic))
        made = compute(PoolMean(pool), [both], result, arithmetic)
        np.testing.assert_array_equal(made, compute(pool, [Operand(image, array)], result, arithmetic))


def test_overlaps() -> None:
    random = np.random.default_rng(3)
    check_overlaps([sums(random, shape, earlier=True) for shape in SHAPES])
    for arithmetic in Arithmetic:
        check_overlaps([mean(random, arithmetic)])
