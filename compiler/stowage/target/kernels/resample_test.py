# SPDX-License-Identifier: Apache-2.0
"""Resampled axes against the reference."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops.resample import Resample
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel
from stowage.target.kernels.operator_trial import OperatorTrial, check_close, operator_trial, reals, tensor

RANDOM = np.random.default_rng(9)


def trial(axis: int, size: int, taps: int, shape: tuple[int, ...], *, last_place: int | None = None) -> OperatorTrial:
    types = tensor(shape, DType.F32), tensor((size, taps), DType.I32), tensor((size, taps), DType.F32)
    places = RANDOM.integers(0, shape[axis], (size, taps), dtype=np.int32)
    if last_place is not None:
        places[-1, -1] = last_place
    arrays = reals(RANDOM, types[0]), places, reals(RANDOM, types[2])
    return operator_trial(lower, Resample(axis), list(zip(types, arrays, strict=True)), constants=(1, 2))


def test_every_axis() -> None:
    trials = [trial(axis, 6, taps, (2, 3, 4)) for axis in range(3) for taps in (1, 2, 5)]
    trials += [trial(0, 1, 4, (7,)), trial(1, 9, 4, (1, 1, 1))]
    check_close(trials, relative=1e-5, absolute=1e-5)


def test_places_outside() -> None:
    with pytest.raises(NoKernel, match="places from -1 to"):
        trial(1, 2, 2, (2, 3), last_place=-1)
