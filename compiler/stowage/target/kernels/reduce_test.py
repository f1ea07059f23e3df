# SPDX-License-Identifier: Apache-2.0
"""Reductions, normalisation and running sums against the reference, over every choice of axes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops import reduction
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_close,
    check_equal,
    check_overlaps,
    integers,
    operator_trial,
    reals,
    tensor,
)

SHAPE = (2, 3, 4, 2)
AXES = [axes for count in range(1, 5) for axes in combinations(range(4), count)]
RECORDS: list[type[reduction.Reduction]] = [
    *(reduction.ReduceSum, reduction.ReduceProd, reduction.ReduceMax, reduction.ReduceMin, reduction.ReduceL1),
    *(reduction.ReduceL2, reduction.ReduceSumSquare, reduction.ReduceLogSum, reduction.ReduceLogSumExp),
]


def trial(op: reduction.Reduction | reduction.Normalize | reduction.Cumulation, dtype: DType) -> OperatorTrial:
    random, type_ = np.random.default_rng(5), tensor(SHAPE, dtype)
    data = reals(random, type_, 1.0) if dtype.is_float else integers(random, type_)
    if isinstance(op, reduction.ReduceLogSum):
        data = np.exp(data)
    return operator_trial(lower, op, [(type_, data)])


@pytest.mark.parametrize("record", RECORDS)
def test_reductions_of_reals(record: type[reduction.Reduction]) -> None:
    trials = [trial(record(axes, keepdims), DType.F32) for axes in AXES for keepdims in (True, False)]
    check_close(trials, relative=2e-6, absolute=2e-6)
    check_overlaps(trials)


@pytest.mark.parametrize("dtype", [DType.I32, DType.I64, DType.U32, DType.U64, DType.I8, DType.U8])
@pytest.mark.parametrize("record", RECORDS[:5] + RECORDS[6:7])
def test_reductions_of_integers(record: type[reduction.Reduction], dtype: DType) -> None:
    extreme = record in (reduction.ReduceMax, reduction.ReduceMin)
    if (dtype.size_bytes == 1 and not extreme) or (record is reduction.ReduceL1 and dtype.numpy.kind == "u"):
        with pytest.raises(NoKernel, match="elements of"):
            trial(record((1,)), dtype)
    else:
        check_equal([trial(record(axes), dtype) for axes in AXES], sanitise=True)


@pytest.mark.parametrize("record", [reduction.ReduceMax, reduction.ReduceMin])
def test_extremes_of_truth_values(record: type[reduction.Reduction]) -> None:
    truths = np.random.default_rng(6).integers(0, 4, (3, 4, 5)) > 0
    check_equal([operator_trial(lower, record((1,)), [(tensor(truths.shape, DType.BOOL), truths)])], sanitise=True)


def test_sums_of_exponentials_do_not_overflow() -> None:
    type_ = tensor((2, 3), DType.F32)
    data = np.array([[200, 201, 202], [-300, -301, -300]], np.float32)
    check_close([operator_trial(lower, reduction.ReduceLogSumExp((1,)), [(type_, data)])], relative=1e-6)


@pytest.mark.parametrize("centred", [True, False])
def test_normalisation(centred: bool) -> None:
    check_close(
        [trial(reduction.Normalize(axes, 1e-3, centred), DType.F32) for axes in AXES], relative=3e-6, absolute=1e-6
    )


@pytest.mark.parametrize("dtype", [DType.F32, DType.I32, DType.I64, DType.U32, DType.U64])
def test_running_sums_and_products(dtype: DType) -> None:
    flags = [(exclusive, reverse) for exclusive in (False, True) for reverse in (False, True)]
    for record in (reduction.CumSum, reduction.CumProd):
        trials = [trial(record(axis, *flag), dtype) for axis in range(4) for flag in flags]
        check_close(trials, relative=1e-6, absolute=1e-6)


@pytest.mark.parametrize("centred", [True, False])
def test_a_normalisation_of_rows_may_write_over_its_operand(centred: bool) -> None:
    check_overlaps([trial(reduction.Normalize(axes, 1e-3, centred), DType.F32) for axes in ((3,), (2, 3), (1, 2, 3))])
