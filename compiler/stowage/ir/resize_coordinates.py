# SPDX-License-Identifier: Apache-2.0
"""Where Resize reads: the input coordinates of each output row or column, as ONNX Resize defines them.

Coordinates are computed in single precision, as the scales are stored: with a scale of 1.1f, place 11 maps to exactly
10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stowage.ir.ops.movement import Resize

Floats = NDArray[np.float32]
Indices = NDArray[np.int64]


_ROUNDING = 1e-4
"""A length times a scale in single precision is whole if it misses a whole number by less."""


@dataclass(frozen=True, slots=True)
class ResizedAxis:
    """One axis that is resized from `extent` to `size` elements by the factor `scale`."""

    extent: int
    size: int
    scale: np.float32


def _half_pixel(axis: ResizedAxis, places: Floats) -> Floats:
    return (places + np.float32(0.5)) / axis.scale - np.float32(0.5)


def _half_pixel_symmetric(axis: ResizedAxis, places: Floats) -> Floats:
    adjustment = np.float32(axis.size) / (axis.scale * np.float32(axis.extent))
    offset = np.float32(axis.extent) / np.float32(2) * (np.float32(1) - adjustment)
    return offset + (places + np.float32(0.5)) / axis.scale - np.float32(0.5)


def _pytorch_half_pixel(axis: ResizedAxis, places: Floats) -> Floats:
    return _half_pixel(axis, places) if axis.size > 1 else np.zeros_like(places)


def _align_corners(axis: ResizedAxis, places: Floats) -> Floats:
    """By the new length before it is rounded down, where that is not whole."""
    exact = axis.scale * np.float32(axis.extent)
    length = np.float32(axis.size) if abs(exact - axis.size) < _ROUNDING else exact
    return places * np.float32(axis.extent - 1) / (length - np.float32(1)) if length != 1 else np.zeros_like(places)


def _asymmetric(axis: ResizedAxis, places: Floats) -> Floats:
    return places / axis.scale


COORDINATES: Mapping[str, Callable[[ResizedAxis, Floats], Floats]] = {
    "half_pixel": _half_pixel,
    "half_pixel_symmetric": _half_pixel_symmetric,
    "pytorch_half_pixel": _pytorch_half_pixel,
    "align_corners": _align_corners,
    "asymmetric": _asymmetric,
}
"""Input coordinates by ONNX's coordinate_transformation_mode."""

ROUNDINGS: Mapping[str, Callable[[Floats], Floats]] = {
    "round_prefer_floor": lambda coordinates: np.ceil(coordinates - np.float32(0.5)),
    "round_prefer_ceil": lambda coordinates: np.floor(coordinates + np.float32(0.5)),
    "floor": np.floor,
    "ceil": np.ceil,
}
"""Neighbours by ONNX's nearest_mode."""


def coordinates_of(op: Resize, axis: int, extent: int) -> Floats:
    """Input coordinates of each output place along the height (axis 0) or width (axis 1) of `extent`, not yet
    clamped."""
    resized = ResizedAxis(extent, op.size[axis], np.float32(op.scales[axis]))
    return COORDINATES[op.coordinates](resized, np.arange(op.size[axis], dtype=np.float32))


def nearest_indices(op: Resize, axis: int, extent: int) -> Indices:
    """The input index that each output place copies."""
    rounded = ROUNDINGS[op.nearest](coordinates_of(op, axis, extent))
    return np.clip(rounded, 0, extent - 1).astype(np.int64)


def linear_taps(op: Resize, axis: int, extent: int) -> tuple[Indices, Indices, Floats]:
    """The two input indices that each output place lies between, and the weight of the second."""
    clamped = np.clip(coordinates_of(op, axis, extent), np.float32(0), np.float32(extent - 1))
    lower = np.floor(clamped)
    upper = np.minimum(lower + np.float32(1), np.float32(extent - 1))
    return lower.astype(np.int64), upper.astype(np.int64), clamped - lower
