# SPDX-License-Identifier: Apache-2.0
"""A tensor resized an axis at a time: by copies of elements, or by sums that tables of places and weights describe."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.resample_filter import Filter, Reals, Taps, taps_of
from stowage.frontend.from_onnx.resized_shape import Resizing, listed_axes
from stowage.frontend.from_onnx.window import LARGEST_NUMBER
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add
from stowage.ir.ops.resample import Resample
from stowage.ir.ops.selection import Gather
from stowage.ir.resize_coordinates import COORDINATES, ResizedAxis


def resampled(site: NodeSite, value: Value, resizing: Resizing, how: Filter, mode: str) -> Value:
    """The tensor resized; `mode` is ONNX's coordinate_transformation_mode."""
    _check_room(site, value, resizing)
    for axis in resizing.axes:
        extent, size, scale = value.type.shape[axis], resizing.shape[axis], resizing.scales[axis]
        places = np.arange(size, dtype=np.float32)
        coordinates = COORDINATES[mode](ResizedAxis(extent, size, np.float32(scale)), places)
        taps = taps_of(how, coordinates.astype(np.float64), extent, scale)
        value = _chosen(site, value, axis, taps) if how.mode == "nearest" else _summed(site, value, axis, taps)
    return value


def cropped(site: NodeSite, value: Value, resizing: Resizing, how: Filter) -> Value:
    """ONNX's tf_crop_and_resize: the region of interest alone is resized, and what lies outside of the tensor is the
    extrapolation value. Taps there have no weight, so that this value is all that is added."""
    _check_room(site, value, resizing)
    outside = np.zeros((1,) * len(resizing.shape), np.bool_)
    for axis, (start, end) in _regions(site, len(resizing.shape)).items():
        extent, size, scale = value.type.shape[axis], resizing.shape[axis], resizing.scales[axis]
        if (start, end) == (0.0, 1.0) and size == extent:
            continue
        coordinates = _within(start, end, extent, size, scale)
        missed = (coordinates < 0) | (coordinates > extent - 1)
        taps = taps_of(how, np.where(missed, 0.0, coordinates), extent, scale)
        weights = np.where(missed[:, None], np.float32(0), taps.weights)
        value = _summed(site, value, axis, replace(taps, weights=weights))
        outside = outside | missed.reshape([-1 if k == axis else 1 for k in range(outside.ndim)])
    beyond = site.scalar("extrapolation_value", 0.0)
    if not beyond or not outside.any():
        return value
    rest = site.builder.constant(f"{site.output_name}.beyond", np.where(outside, beyond, 0.0).astype(np.float32))
    return site.add(Add(), value, rest)


def _check_room(site: NodeSite, value: Value, resizing: Resizing) -> None:
    """Refuses axes that are too long for tables of their elements."""
    for before, after in zip(value.type.shape, resizing.shape, strict=True):
        if before != after and max(before, after) > LARGEST_NUMBER:
            raise site.unsupported(
                f"an axis of {before} elements is resized to {after}", f"use axes of up to {LARGEST_NUMBER}"
            )


def _regions(site: NodeSite, rank: int) -> dict[int, tuple[float, float]]:
    """Start and end of the region along each axis, 0 and 1 being the ends of the axis."""
    axes = listed_axes(site, rank)
    roi = site.known(1, "the region of interest")
    if roi.dtype.kind != "f" or roi.size != 2 * len(axes):
        raise site.invalid(f"the region of interest must be {2 * len(axes)} floating-point numbers")
    flat = roi.reshape(2, -1).astype(np.float64)
    return {axis: (float(flat[0, k]), float(flat[1, k])) for k, axis in enumerate(axes)}


def _within(start: float, end: float, extent: int, size: int, scale: float) -> Reals:
    """Coordinates of the new elements of a region, the first and last of which lie on its ends."""
    length, last = scale * extent, extent - 1
    if length == 1:
        return np.full(size, (start + end) / 2 * last)
    steps = np.arange(size, dtype=np.float64)
    return start * last + steps * ((end - start) * last / (length - 1))


def _chosen(site: NodeSite, value: Value, axis: int, taps: Taps) -> Value:
    places = site.builder.constant(f"{site.output_name}.places_{axis}", taps.places[:, 0])
    return site.add(Gather(axis), value, places, role=f"axis_{axis}")


def _summed(site: NodeSite, value: Value, axis: int, taps: Taps) -> Value:
    places = site.builder.constant(f"{site.output_name}.places_{axis}", taps.places)
    weights = site.builder.constant(f"{site.output_name}.weights_{axis}", taps.weights)
    return site.add(Resample(axis), value, places, weights, role=f"axis_{axis}")
