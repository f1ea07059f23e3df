# SPDX-License-Identifier: Apache-2.0
"""Images read between their pixels: against the reference, and at coordinates that are no places at all."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.ir.ops.op import Op
from stowage.ir.ops.sampling import DeformConv2d, GridSample, RoiAlign
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.operator_trial import OperatorTrial, check_close, operator_trial, results, tensor

RANDOM = np.random.default_rng(12)
NOWHERE = (np.nan, -np.nan, np.inf, -np.inf, 3e38, -3e38, 1e9, -1e9)


def trial(op: Op, *arrays: Array) -> OperatorTrial:
    return operator_trial(lower, op, [(tensor(array.shape, DType.of(array.dtype)), array) for array in arrays])


def normal(*shape: int, spread: float = 1.0) -> Array:
    return (RANDOM.standard_normal(shape) * spread).astype(np.float32)


def nowhere(*shape: int) -> Array:
    return RANDOM.choice(np.array(NOWHERE, np.float32), shape)


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_grid_sample(mode: str) -> None:
    trials = []
    for padding, align in product(("zeros", "border", "reflection"), (False, True)):
        op = GridSample(mode, padding, align)
        trials += [trial(op, normal(2, 4, 5, 3), normal(2, 3, 7, 2)), trial(op, normal(1, 1, 2, 1), normal(1, 4, 4, 2))]
        trials += [trial(op, normal(2, 3, 4, 5, 2), normal(2, 2, 3, 2, 3))]
    check_close(trials, relative=2e-5, absolute=2e-5)


def regions(count: int) -> Array:
    corners = RANDOM.uniform(-4, 14, (count, 4))
    return np.sort(corners.reshape(count, 2, 2), axis=1).reshape(count, 4).astype(np.float32)


@pytest.mark.parametrize("mode", ["avg", "max"])
def test_roi_align(mode: str) -> None:
    indices = np.array([0, 1, 1, 0, 7, -3], np.int64)
    trials = [
        trial(RoiAlign(size, samples, scale, mode, half), normal(2, 6, 5, 3), regions(6), indices)
        for size, samples, scale, half in (((3, 2), 2, 1.0, True), ((1, 1), 3, 0.5, False), ((4, 4), 1, 0.75, True))
    ]
    check_close(trials, relative=2e-5, absolute=2e-5)


def deformed(op: DeformConv2d, image: tuple[int, ...], kernel: tuple[int, ...], *, weighed: bool) -> OperatorTrial:
    rows, columns = (
        (image[k] + op.pads[k - 1] + op.pads[k + 1] - op.dilations[k - 1] * (kernel[k] - 1) - 1) // op.strides[k - 1]
        + 1
        for k in (1, 2)
    )
    taps = op.offset_groups * kernel[1] * kernel[2]
    operands = [normal(*image), normal(*kernel), normal(kernel[0]), normal(image[0], rows, columns, 2 * taps, spread=2)]
    return trial(op, *operands, *[normal(image[0], rows, columns, taps)] * weighed)


@pytest.mark.parametrize("weighed", [False, True])
def test_deformed_convolution(weighed: bool) -> None:
    trials = [
        deformed(DeformConv2d(), (2, 4, 5, 3), (4, 2, 3, 3), weighed=weighed),
        deformed(DeformConv2d((2, 1), (1, 0, 2, 1), (1, 2), 2, 4), (1, 6, 7, 8), (4, 3, 2, 4), weighed=weighed),
        deformed(DeformConv2d(groups=3, offset_groups=3), (1, 3, 3, 3), (3, 2, 2, 1), weighed=weighed),
    ]
    check_close(trials, relative=2e-5, absolute=2e-5)


GRIDS: list[Any] = [
    GridSample(mode, padding, align_corners=align)
    for mode, padding, align in product(
        ("nearest", "linear", "cubic"), ("zeros", "border", "reflection"), (False, True)
    )
]


def test_grids_of_no_places_stay_inside() -> None:
    placed = [trial(op, normal(1, 3, 1, 2), normal(1, 4, 8, 2)) for op in GRIDS]
    lost = [replace(each, arrays=(each.arrays[0], nowhere(1, 4, 8, 2))) for each in placed]
    for output in results(lost, sanitise=True):
        assert np.isfinite(output).all() or np.isnan(output).any()


def test_regions_of_no_places_stay_inside() -> None:
    indices = np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max, 0, 1], np.int64)
    placed = trial(RoiAlign((2, 2), 2, 1.0, "avg"), normal(2, 3, 4, 2), regions(4), np.zeros(4, np.int64))
    (output,) = results([replace(placed, arrays=(placed.arrays[0], nowhere(4, 4), indices))], sanitise=True)
    np.testing.assert_array_equal(output, np.zeros_like(output))


def test_offsets_to_no_places_stay_inside() -> None:
    placed = deformed(DeformConv2d(), (1, 4, 4, 2), (3, 2, 2, 2), weighed=False)
    arrays = (*placed.arrays[:3], nowhere(1, 3, 3, 8))
    (output,) = results([replace(placed, arrays=arrays)], sanitise=True)
    np.testing.assert_array_equal(output, np.broadcast_to(placed.arrays[2], output.shape))
