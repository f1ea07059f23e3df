# SPDX-License-Identifier: Apache-2.0
"""Elements chosen by indices and repeated elements, against the reference, whatever the indices are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops import selection
from stowage.ir.ops.op import Op
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_equal,
    distinct,
    operator_trial,
    tensor,
)

RANDOM = np.random.default_rng(6)
FAR = (-(2**31), -7, -1, 0, 3, 2**31 - 1)


def data(*shape: int, dtype: DType = DType.F32) -> Any:
    return distinct(RANDOM, tensor(shape, dtype))


def indices(*shape: int, dtype: Any = np.int64) -> Any:
    """Among them negative ones and ones far outside."""
    near = RANDOM.integers(-4, 5, shape)
    return np.where(RANDOM.random(shape) < 0.2, RANDOM.choice(FAR, shape), near).astype(dtype)


def trial(op: Op, *arrays: Any) -> OperatorTrial:
    return operator_trial(lower, op, [(tensor(array.shape, DType.of(array.dtype)), array) for array in arrays])


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_gather(dtype: Any) -> None:
    arrays = [data(4, 5, 3), data(4, 5, 3, dtype=DType.I8), data(4, 5, 3, dtype=DType.I64)]
    trials = [trial(selection.Gather(axis), each, indices(2, 3, dtype=dtype)) for each in arrays for axis in range(3)]
    check_equal(trials, sanitise=True)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_gather_elements(dtype: Any) -> None:
    arrays = [data(4, 5, 3), data(4, 5, 3, dtype=DType.I16)]
    trials = [
        trial(selection.GatherElements(axis), each, indices(3, 4, 3, dtype=dtype))
        for each in arrays
        for axis in range(3)
    ]
    trials.append(trial(selection.GatherElements(3), data(*(1, 2) * 4), indices(*(1, 2) * 4, dtype=dtype)))
    check_equal(trials, sanitise=True)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_gather_nd(dtype: Any) -> None:
    trials = [trial(selection.GatherNd(), data(4, 5, 3), indices(2, depth, dtype=dtype)) for depth in (1, 2, 3)]
    trials += [trial(selection.GatherNd(batch=1), data(2, 5, 3), indices(2, 4, depth, dtype=dtype)) for depth in (1, 2)]
    check_equal(trials, sanitise=True)


def test_expand() -> None:
    shapes = [((3, 1), (2, 3, 4)), ((1,), (5, 2)), ((2, 1, 3), (2, 4, 3)), ((), (3,))]
    runs = [trial(selection.Expand(after), data(*before)) for before, after in shapes if before and before[-1] > 1]
    singles = [
        trial(selection.Expand(after), data(*before)) for before, after in shapes if not before or before[-1] == 1
    ]
    check_equal(runs, sanitise=True)
    check_equal(singles, sanitise=True)
