# SPDX-License-Identifier: Apache-2.0
"""The filters of Resize along one axis: which elements each new one is made of, with which weights.

A filter is a function of the distance from the element to the new one's coordinate: a triangle for "linear", the
piecewise cubic of R. Keys ("Cubic convolution interpolation for digital image processing", 1981) for "cubic". Against
aliasing it is stretched where the axis shrinks. Beyond the ends the axis goes on with its last element.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stowage.ir.resize_coordinates import ROUNDINGS

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Filter:
    """How an axis is filtered.

    Attributes:
        mode: "nearest", "linear" or "cubic".
        nearest: ONNX's nearest_mode.
        cubic_a: the coefficient of the cubic.
        antialias: whether the filter is stretched where the axis shrinks.
        exclude_outside: whether taps beyond the ends have no weight, instead of that of the last element.
    """

    mode: str
    nearest: str = "floor"
    cubic_a: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False


@dataclass(frozen=True, slots=True)
class Taps:
    """places and weights are [size, taps]: a new element is the sum of its weights times the elements at its places."""

    places: NDArray[np.int32]
    weights: NDArray[np.float32]


def taps_of(how: Filter, coordinates: Reals, extent: int, scale: float) -> Taps:
    """The taps of an axis.

    Args:
        how: the filter.
        coordinates: where each new element lies on the old axis.
        extent: of the old axis.
        scale: new length by old one.
    """
    if how.mode == "nearest":
        nearest = ROUNDINGS[how.nearest](coordinates.astype(np.float32)).astype(np.int64)[:, None]
        return _clamped(nearest, np.ones(nearest.shape), extent)
    stretch = min(scale, 1.0) if how.antialias else 1.0
    curve, support = _curve(how)
    first = math.floor(-support / stretch) + 1
    places = np.floor(coordinates).astype(np.int64)[:, None] + np.arange(first, 2 - first)
    weights = curve(np.abs(places - coordinates[:, None]) * stretch)
    if how.exclude_outside:
        weights = np.where((places < 0) | (places >= extent), 0.0, weights)
    if how.exclude_outside or stretch < 1.0:
        total = weights.sum(axis=1, keepdims=True)
        weights = weights / np.where(total == 0, 1.0, total)
    return _clamped(places, weights, extent)


def _curve(how: Filter) -> tuple[Callable[[Reals], Reals], int]:
    """Weight by distance, and the distance from which on it is zero."""
    if how.mode == "linear":
        return lambda distance: np.maximum(1 - distance, 0), 1
    a = how.cubic_a

    def cubic(x: Reals) -> Reals:
        near = ((a + 2) * x - (a + 3)) * x * x + 1
        far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        return np.where(x <= 1, near, np.where(x < 2, far, 0.0))

    return cubic, 2


def _clamped(places: NDArray[np.int64], weights: Reals, extent: int) -> Taps:
    return Taps(np.clip(places, 0, extent - 1).astype(np.int32), weights.astype(np.float32))
