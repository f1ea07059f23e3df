# SPDX-License-Identifier: Apache-2.0
"""Resize, and Upsample, its older name: nearest and linear, along one or two neighbouring axes."""

from __future__ import annotations

import math

import numpy as np

from stowage.frontend.from_onnx.image import from_nhwc, to_nhwc
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.resized_shape import Resizing, resizing_of
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Reshape, Resize

_COORDINATES = ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric")
_NEAREST = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


def _resize(site: NodeSite) -> Results:
    resizing = resizing_of(site, site.type(0).shape)
    if not resizing.axes:
        return (site.operand(0),)
    mode = site.text("mode", "nearest", ("nearest", "linear"))
    value = site.operand(0) if mode == "nearest" else site.real(0)
    if resizing.shrinks and site.flag("antialias"):
        raise site.unsupported("attribute antialias is 1 and the image shrinks", "resize without antialiasing")
    coordinates, nearest = "asymmetric", "floor"
    if site.opset >= 11:
        coordinates = site.text("coordinate_transformation_mode", "half_pixel", _COORDINATES)
        nearest = site.text("nearest_mode", "round_prefer_floor", _NEAREST)
    return (_resized(site, value, resizing, (mode, coordinates, nearest)),)


def _upsample(site: NodeSite) -> Results:
    resizing = resizing_of(site, site.type(0).shape)
    mode = site.text("mode", "nearest", ("nearest", "linear"))
    value = site.operand(0) if mode == "nearest" else site.real(0)
    return (_resized(site, value, resizing, (mode, "asymmetric", "floor")) if resizing.axes else value,)


def _resized(site: NodeSite, value: Value, resizing: Resizing, modes: tuple[str, str, str]) -> Value:
    """Channels first or last where the tensor has four axes; else the last two axes are an image of one channel."""
    shape = value.type.shape
    if len(shape) == 4 and set(resizing.axes) <= {2, 3}:
        return from_nhwc(site, site.add(_op(resizing, 2, modes), to_nhwc(site, value)), 4)
    if len(shape) == 4 and set(resizing.axes) <= {1, 2}:
        return site.add(_op(resizing, 1, modes), value)
    if min(resizing.axes) < len(shape) - 2:
        raise site.unsupported(f"axes {list(resizing.axes)} of {list(shape)} are resized", "resize the last two")
    flat = (math.prod(shape[:-2]), *((1,) * (2 - len(shape[-2:]))), *shape[-2:], 1)
    image = site.add(Reshape(flat), value, role="to_image")
    result = site.add(_op(resizing, len(shape) - 2, modes), image)
    return site.add(Reshape(resizing.shape), result, role="from_image")


def _op(resizing: Resizing, height: int, modes: tuple[str, str, str]) -> Resize:
    """The operator for an image whose height is axis `height` of the tensor (-1: there is none), its width the next."""
    axes = (height, height + 1)
    size = [1 if axis < 0 else resizing.shape[axis] for axis in axes]
    scales = [1.0 if axis < 0 else resizing.scales[axis] for axis in axes]
    return Resize((size[0], size[1]), (float(np.float32(scales[0])), float(np.float32(scales[1]))), *modes)


IMPORTERS: Importers = {"Resize": _resize, "Upsample": _upsample}
