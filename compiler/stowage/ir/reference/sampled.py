# SPDX-License-Identifier: Apache-2.0
"""Images of reals read between their pixels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stowage.ir.ops.sampling import DeformConv2d, GridSample, RoiAlign
from stowage.ir.reference.operand import Reals

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Taps:
    """Of one axis: places inside of it and weights, both [..., taps]."""

    places: Places
    weights: Reals


def grid_sample(op: GridSample, operands: Sequence[Reals]) -> Reals:
    """Input [N, …, C], grid [N, …, axes] -> [N, …, C]."""
    data, grid = operands
    taps = [_grid_taps(op, grid[..., -1 - axis], extent) for axis, extent in enumerate(data.shape[1:-1])]
    batch = np.arange(len(data)).reshape(-1, *(1,) * (grid.ndim - 2))
    return _sampled(data, batch, taps)


def _sampled(data: Reals, batch: Places, taps: Sequence[_Taps]) -> Reals:
    """The sum over all combinations of the axes' taps."""
    return np.asarray(sum(_products(data, batch, taps)))


def _products(data: Reals, batch: Places, taps: Sequence[_Taps]) -> list[Reals]:
    """Products of weights and elements [..., C], for each combination of taps."""
    products = []
    for combination in itertools.product(*(range(axis.places.shape[-1]) for axis in taps)):
        places = tuple(axis.places[..., k] for axis, k in zip(taps, combination, strict=True))
        weight = math.prod(axis.weights[..., k] for axis, k in zip(taps, combination, strict=True))
        products.append(data[(batch, *places)] * np.asarray(weight)[..., None])
    return products


def _grid_taps(op: GridSample, grid: Reals, extent: int) -> _Taps:
    start, end = (0.0, extent - 1.0) if op.align_corners else (-0.5, extent - 0.5)
    coordinates = (grid + 1) / 2 * (end - start) + start
    coordinates = np.rint(coordinates) if op.mode == "nearest" else coordinates
    outside = (coordinates < start) | (coordinates > end)
    if op.padding == "border" and op.mode != "cubic":
        coordinates = np.where(outside, np.clip(coordinates, 0, extent - 1), coordinates)
    elif op.padding == "reflection":
        coordinates = np.where(outside, _reflected(coordinates, start, end), coordinates)
    first, weights = _filter(op.mode, coordinates - np.floor(coordinates))
    places = (
        np.floor(np.clip(coordinates, -9, extent + 9)).astype(np.int64)[..., None] + first + np.arange(len(weights))
    )
    inside = (places >= 0) & (places < extent)
    kept = np.stack(weights, axis=-1) * (inside | (op.padding != "zeros"))
    if op.padding == "reflection":
        places = np.rint(_reflected(places.astype(np.float64), start, end)).astype(np.int64)
    return _Taps(np.clip(places, 0, extent - 1), kept)


def _reflected(coordinates: Reals, start: float, end: float) -> Reals:
    if end <= start:
        return np.full_like(coordinates, start)
    rest = np.mod(coordinates - start, 2 * (end - start))
    return np.where(rest > end - start, 2 * end - start - rest, start + rest)


def _filter(mode: str, fraction: Reals) -> tuple[int, list[Reals]]:
    """The first tap's place from the one below the coordinate, and the weights."""
    if mode == "nearest":
        return 0, [np.ones_like(fraction)]
    if mode == "linear":
        return 0, [1 - fraction, fraction]
    return -1, [_cubic(np.abs(fraction - place)) for place in (-1, 0, 1, 2)]


def _cubic(x: Reals, a: float = -0.75) -> Reals:
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, ((a + 2) * x - (a + 3)) * x * x + 1, far)


def roi_align(op: RoiAlign, operands: Sequence[Reals]) -> Reals:
    """Input [N, H, W, C], regions [R, 4], batch indices [R] -> [R, *size, C]."""
    data, regions, indices = operands
    corners = regions * op.scale - (0.5 if op.half_pixel else 0.0)
    taps = []
    for axis, (bins, extent) in enumerate(zip(op.size, data.shape[1:3], strict=True)):
        start, end = corners[:, 1 - axis, None, None], corners[:, 3 - axis, None, None]
        length = end - start if op.half_pixel else np.maximum(end - start, 1.0)
        steps = np.arange(bins)[:, None] + (np.arange(op.samples) + 0.5) / op.samples
        shape = (len(regions), *((bins, 1, op.samples, 1) if axis == 0 else (1, bins, 1, op.samples)))
        taps.append(_bounded_taps((start + steps * length / bins).reshape(shape), extent))
    whole = indices.astype(np.int64)
    batch = np.clip(np.where(whole < 0, whole + len(data), whole), 0, len(data) - 1).reshape(-1, 1, 1, 1, 1)
    if op.mode == "avg":
        return np.asarray(_sampled(data, batch, taps).mean(axis=(3, 4)))
    return np.asarray(np.max(_products(data, batch, taps), axis=0).max(axis=(3, 4)))


def _bounded_taps(coordinates: Reals, extent: int) -> _Taps:
    """Nothing further than a pixel from the image; up to there its edge goes on."""
    seen = (coordinates >= -1) & (coordinates <= extent)
    within = np.clip(coordinates, 0, extent - 1)
    below = np.floor(within)
    places = np.stack([below, np.minimum(below + 1, extent - 1)], axis=-1).astype(np.int64)
    weights = np.stack([1 - (within - below), within - below], axis=-1)
    return _Taps(places, weights * seen[..., None])


def deform_conv2d(op: DeformConv2d, operands: Sequence[Reals]) -> Reals:
    """Input [N, H, W, I], weights [O, KH, KW, I / groups], bias [O], offsets, factors -> [N, OH, OW, O]."""
    data, weights, bias, offsets = operands[:4]
    batches, rows, columns, _ = offsets.shape
    kernel, taken = weights.shape[1:3], weights.shape[3]
    moved = offsets.reshape(batches, rows, columns, op.offset_groups, *kernel, 2)
    factors = operands[4].reshape(moved.shape[:-1]) if len(operands) > 4 else np.ones(moved.shape[:-1])
    taps = []
    for axis, extent in enumerate(data.shape[1:3]):
        place = [-1 if k == 1 + axis else 1 for k in range(6)]
        tap = [-1 if k == 4 + axis else 1 for k in range(6)]
        starts = np.arange(offsets.shape[1 + axis]) * op.strides[axis] - op.pads[axis]
        steps = np.arange(kernel[axis]) * op.dilations[axis]
        taps.append(_zero_taps(moved[..., axis] + starts.reshape(place) + steps.reshape(tap), extent))
    batch = np.arange(batches).reshape(-1, 1, 1, 1, 1, 1)
    samples = _sampled(data, batch, taps) * factors[..., None]
    channels = samples.reshape(*samples.shape[:-1], op.offset_groups, -1)
    own = np.arange(op.offset_groups)
    patches = np.moveaxis(channels[:, :, :, own, :, :, own], 0, 5).reshape(
        batches, rows, columns, *kernel, op.groups, taken
    )
    grouped = weights.reshape(op.groups, -1, *kernel, taken)
    return np.asarray(np.einsum("nyxjigc,gojic->nyxgo", patches, grouped).reshape(batches, rows, columns, -1) + bias)


def _zero_taps(coordinates: Reals, extent: int) -> _Taps:
    below = np.floor(np.clip(coordinates, -9, extent + 9))
    fraction = np.clip(coordinates, -9, extent + 9) - below
    places = np.stack([below, below + 1], axis=-1).astype(np.int64)
    inside = (places >= 0) & (places < extent)
    return _Taps(np.clip(places, 0, extent - 1), np.stack([1 - fraction, fraction], axis=-1) * inside)
