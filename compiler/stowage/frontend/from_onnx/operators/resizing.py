# SPDX-License-Identifier: Apache-2.0
"""Resize, and Upsample, its older name.

Nearest and linear along two neighbouring axes have kernels of their own. Everything else goes an axis at a time: as
copies of elements, or as sums that a table of places and weights describes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stowage.frontend.from_onnx.image import from_nhwc, to_nhwc
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.resample_filter import Filter
from stowage.frontend.from_onnx.resampling import cropped, resampled
from stowage.frontend.from_onnx.resized_shape import Resizing, resizing_of
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Reshape, Resize
from stowage.ir.resize_coordinates import COORDINATES

_CROP = "tf_crop_and_resize"
_COORDINATES = (*COORDINATES, _CROP)
_NEAREST = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
_MODES = ("nearest", "linear", "cubic")


@dataclass(frozen=True, slots=True)
class _How:
    """What a node asks for: the filter, and ONNX's coordinate_transformation_mode."""

    filter: Filter
    coordinates: str


def _resize(site: NodeSite) -> Results:
    resizing = resizing_of(site, site.type(0).shape)
    mode = site.text("mode", "nearest", _MODES)
    coordinates, nearest = "asymmetric", "floor"
    if site.opset >= 11:
        coordinates = site.text("coordinate_transformation_mode", "half_pixel", _COORDINATES)
        nearest = site.text("nearest_mode", "round_prefer_floor", _NEAREST)
    antialias = site.flag("antialias") and resizing.shrinks
    cubic = site.scalar("cubic_coeff_a", -0.75)
    how = _How(Filter(mode, nearest, cubic, antialias, site.flag("exclude_outside")), coordinates)
    return (_resized(site, resizing, how),)


def _upsample(site: NodeSite) -> Results:
    how = _How(Filter(site.text("mode", "nearest", ("nearest", "linear"))), "asymmetric")
    return (_resized(site, resizing_of(site, site.type(0).shape), how),)


def _resized(site: NodeSite, resizing: Resizing, how: _How) -> Value:
    if how.coordinates == _CROP:
        return cropped(site, site.real(0), resizing, how.filter)
    value = site.operand(0) if how.filter.mode == "nearest" else site.real(0)
    if not resizing.axes:
        return value
    plain = how.filter.mode != "cubic" and not how.filter.antialias and not how.filter.exclude_outside
    if plain and min(resizing.axes) >= len(resizing.shape) - 2:
        return _as_image(site, value, resizing, how)
    if plain and len(resizing.shape) == 4 and set(resizing.axes) <= {1, 2}:
        return site.add(_op(resizing, 1, how), value)
    return resampled(site, value, resizing, how.filter, how.coordinates)


def _as_image(site: NodeSite, value: Value, resizing: Resizing, how: _How) -> Value:
    """Channels first where the tensor has four axes; else the last two axes are an image of one channel."""
    shape = value.type.shape
    if len(shape) == 4:
        return from_nhwc(site, site.add(_op(resizing, 2, how), to_nhwc(site, value)), 4)
    flat = (math.prod(shape[:-2]), *((1,) * (2 - len(shape[-2:]))), *shape[-2:], 1)
    image = site.add(Reshape(flat), value, role="to_image")
    result = site.add(_op(resizing, len(shape) - 2, how), image)
    return site.add(Reshape(resizing.shape), result, role="from_image")


def _op(resizing: Resizing, height: int, how: _How) -> Resize:
    """The operator for an image whose height is axis `height` of the tensor (-1: there is none), its width the next."""
    axes = (height, height + 1)
    size = [1 if axis < 0 else resizing.shape[axis] for axis in axes]
    scales = [1.0 if axis < 0 else resizing.scales[axis] for axis in axes]
    modes = (how.filter.mode, how.coordinates, how.filter.nearest)
    return Resize((size[0], size[1]), (float(np.float32(scales[0])), float(np.float32(scales[1]))), *modes)


IMPORTERS: Importers = {"Resize": _resize, "Upsample": _upsample}
