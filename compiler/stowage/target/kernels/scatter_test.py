# SPDX-License-Identifier: Apache-2.0
"""Elements put at places given by indices, against the reference, whatever the indices are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops import selection
from stowage.ir.ops.op import Op
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_equal,
    check_overlaps,
    distinct,
    integers,
    operator_trial,
    reals,
    tensor,
)

RANDOM = np.random.default_rng(8)
FAR = (-(2**31), -7, -1, 0, 3, 2**31 - 1)
REDUCTIONS = ("add", "mul", "min", "max")
INDICES = pytest.mark.parametrize("index", [np.int32, np.int64])


def elements(dtype: DType, *shape: int) -> Any:
    type_ = tensor(shape, dtype)
    return reals(RANDOM, type_) if dtype.is_float else integers(RANDOM, type_)


def indices(index: Any, *shape: int) -> Any:
    """Among them equal ones, negative ones and ones far outside."""
    near = RANDOM.integers(-4, 5, shape)
    return np.where(RANDOM.random(shape) < 0.2, RANDOM.choice(FAR, shape), near).astype(index)


def trial(op: Op, *arrays: Any) -> OperatorTrial:
    return operator_trial(lower, op, [(tensor(array.shape, DType.of(array.dtype)), array) for array in arrays])


def tuples_trial(reduction: str, index: Any, base: Any, updates: Any, depth: int) -> OperatorTrial:
    return trial(selection.ScatterNd(reduction), base, indices(index, updates.shape[0], depth), updates)


@INDICES
@pytest.mark.parametrize("dtype", [DType.F32, DType.I8, DType.U16, DType.I64, DType.BOOL])
def test_tuples_replace_in_their_order(index: Any, dtype: DType) -> None:
    base = distinct(RANDOM, tensor((4, 5, 3), dtype)) if dtype is not DType.BOOL else RANDOM.random((4, 5, 3)) < 0.5
    trials = [tuples_trial("none", index, base, np.flip(base, 0)[:3].copy(), 1)]
    trials += [tuples_trial("none", index, base, base.reshape(-1, 3)[:9].copy(), 2)]
    trials += [tuples_trial("none", index, base, base.reshape(-1)[:20].copy(), 3)]
    check_equal(trials, sanitise=True)
    if dtype is DType.F32:
        check_overlaps(trials)


@INDICES
@pytest.mark.parametrize("dtype", [DType.F32, DType.I8, DType.I16, DType.I32, DType.I64])
def test_tuples_combine(index: Any, dtype: DType) -> None:
    base, rows, singles = elements(dtype, 4, 5, 3), elements(dtype, 6, 5, 3), elements(dtype, 30)
    trials = [tuples_trial(reduction, index, base, rows, 1) for reduction in REDUCTIONS]
    trials += [tuples_trial(reduction, index, base, singles, 3) for reduction in REDUCTIONS]
    check_equal(trials, sanitise=True)


def along(axis: int, reduction: str, index: Any, dtype: DType) -> OperatorTrial:
    """Three updates along each row of the axis, of fewer rows than the input has."""
    shape = [3, 4, 2]
    shape[axis] = 3
    updates = elements(dtype, *shape)
    return trial(selection.ScatterElements(axis, reduction), elements(dtype, 4, 5, 3), indices(index, *shape), updates)


@INDICES
@pytest.mark.parametrize("dtype", [DType.F32, DType.I8, DType.I16, DType.I32, DType.I64])
def test_elements_along_an_axis(index: Any, dtype: DType) -> None:
    trials = [along(axis, reduction, index, dtype) for axis in range(3) for reduction in REDUCTIONS]
    check_equal(trials, sanitise=True)
    check_equal([along(axis, "none", index, dtype) for axis in range(3)], sanitise=True)
    check_overlaps(trials)


def test_elements_of_many_axes() -> None:
    shape = (2, 1, 2, 2, 1, 2, 3, 2, 1)
    updates = elements(DType.F32, *shape)
    check_equal(
        [trial(selection.ScatterElements(6, "add"), updates, indices(np.int64, *shape), updates)], sanitise=True
    )


def test_unsigned_elements_are_only_replaced() -> None:
    base = elements(DType.U32, 4, 5)
    with pytest.raises(NoKernel, match="reduction add of ui32"):
        trial(selection.ScatterNd("add"), base, indices(np.int64, 2, 1), base[:2])
