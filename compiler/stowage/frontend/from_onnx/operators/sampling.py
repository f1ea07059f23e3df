# SPDX-License-Identifier: Apache-2.0
"""Operators that read images between their pixels: GridSample, RoiAlign and DeformConv."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_onnx.image import check_image, from_nhwc, to_nhwc, to_ohwi
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.window import image_window, read_slides
from stowage.ir.ops.sampling import DeformConv2d, GridSample, RoiAlign

_GRID_MODES = {"bilinear": "linear", "bicubic": "cubic", "nearest": "nearest", "linear": "linear", "cubic": "cubic"}


def _grid_sample(site: NodeSite) -> Results:
    check_image(site, 0, 3)
    mode = _GRID_MODES[site.text("mode", "linear", tuple(_GRID_MODES))]
    padding = site.text("padding_mode", "zeros", ("zeros", "border", "reflection"))
    op = GridSample(mode, padding, site.flag("align_corners"))
    result = site.add(op, to_nhwc(site, site.real(0)), site.real(1))
    return (from_nhwc(site, result, len(site.type(0).shape)),)


def _check_images(site: NodeSite, *operands: int) -> None:
    for index in operands:
        shape = site.type(index).shape
        if len(shape) != 4:
            raise site.unsupported(
                f"operand {index} has shape {list(shape)}, but only images are supported", "use four axes"
            )


def _roi_align(site: NodeSite) -> Results:
    _check_images(site, 0)
    samples = site.integer("sampling_ratio", 0)
    if samples < 1:
        raise site.unsupported(
            f"attribute sampling_ratio is {samples}: it takes as many samples as the regions are large",
            "give it a positive number",
        )
    coordinates = site.text(
        "coordinate_transformation_mode",
        "half_pixel" if site.opset >= 16 else "output_half_pixel",
        ("half_pixel", "output_half_pixel"),
    )
    op = RoiAlign(
        size=(site.integer("output_height", 1), site.integer("output_width", 1)),
        samples=samples,
        scale=site.scalar("spatial_scale", 1.0),
        mode=site.text("mode", "avg", ("avg", "max")),
        half_pixel=coordinates == "half_pixel",
    )
    result = site.add(op, to_nhwc(site, site.real(0)), site.real(1), site.number(2))
    return (from_nhwc(site, result, 4),)


def _deform_conv(site: NodeSite) -> Results:
    """Operands X, W, offset, B (optional) and mask (optional)."""
    _check_images(site, *(index for index in (0, 1, 2, 4) if index < 3 or site.has(index)))
    image, kernels = site.type(0).shape, site.type(1).shape
    window = image_window(read_slides(site, image[2:], kernels[2:]))
    op = DeformConv2d(
        window.strides, window.pads, window.dilations, site.integer("group", 1), site.integer("offset_group", 1)
    )
    zeros = np.zeros(kernels[0], np.float32)
    bias = site.weights(3) if site.has(3) else site.builder.constant(f"{site.output_name}.no_bias", zeros)
    factors = [to_nhwc(site, site.real(4))] if site.has(4) else []
    weights, offsets = to_ohwi(site, site.weights(1)), to_nhwc(site, site.real(2))
    result = site.add(op, to_nhwc(site, site.real(0)), weights, bias, offsets, *factors)
    return (from_nhwc(site, result, 4),)


IMPORTERS: Importers = {"GridSample": _grid_sample, "RoiAlign": _roi_align, "DeformConv": _deform_conv}
