# SPDX-License-Identifier: Apache-2.0
"""ConvTranspose over signals, images and volumes, and Col2Im, which is one that spreads each channel to its own tap."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from stowage.frontend.from_onnx.image import check_image, from_nhwc, to_nhwc
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.ir.ops.transposed import ConvTranspose, ConvTranspose2d, ConvTranspose3d

Axes = tuple[int, ...]

_MOST_TAPS = 1024
"""Of a block of Col2Im, whose weights are as many squared."""


def _conv_transpose(site: NodeSite) -> Results:
    check_image(site, 0, 3)
    image, kernels = site.type(0).shape, site.type(1).shape
    groups, spatial = site.integer("group", 1), len(image) - 2
    if len(kernels) != len(image) or groups < 1 or kernels[0] != image[1] or image[1] % groups:
        raise site.invalid(f"weights {list(kernels)} in {groups} groups do not go with the input {list(image)}")
    strides, dilations = (_numbers(site, name, spatial, 1) for name in ("strides", "dilations"))
    extra = _numbers(site, "output_padding", spatial, 0)
    spans = tuple((kernel - 1) * dilation + 1 for kernel, dilation in zip(kernels[2:], dilations, strict=True))
    full = tuple(
        (extent - 1) * stride + span + more
        for extent, stride, span, more in zip(image[2:], strides, spans, extra, strict=True)
    )
    before, size = _placed(site, image[2:], strides, full)
    op = _operator(size, strides, before, dilations, groups)
    result = site.add(op, to_nhwc(site, site.real(0)), _weights(site, groups), _bias(site, kernels[1] * groups))
    return (from_nhwc(site, result, len(image)),)


def _operator(size: Axes, strides: Axes, pads: Axes, dilations: Axes, groups: int) -> ConvTranspose:
    """Of three axes, or of two: a signal has height one."""
    fields: list[Any] = [_filled(size, 1), _filled(strides, 1), _filled(pads, 0), _filled(dilations, 1), groups]
    return ConvTranspose3d(*fields) if len(size) == 3 else ConvTranspose2d(*fields)


def _filled(values: Axes, height: int) -> Axes:
    return values if len(values) > 1 else (height, *values)


def _numbers(site: NodeSite, name: str, count: int, least: int) -> Axes:
    values = site.ints(name) or (least,) * count
    if len(values) != count or min(values) < least or max(values) >= 2**16:
        raise site.invalid(f"attribute {name} is {list(values)}, but must be {count} numbers from {least} on")
    return values


def _placed(site: NodeSite, image: Axes, strides: Axes, full: Axes) -> tuple[Axes, Axes]:
    """Pads before, and the output's extents: from output_shape, auto_pad or pads, in this order."""
    auto_pad = site.text("auto_pad", "NOTSET", ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"))
    asked = site.ints("output_shape")
    if asked is None and auto_pad.startswith("SAME"):
        asked = tuple(extent * stride for extent, stride in zip(image, strides, strict=True))
    if asked is not None:
        if len(asked) < len(image):
            raise site.invalid(f"attribute output_shape is {list(asked)}, but there are {len(image)} spatial axes")
        size = asked[-len(image) :]
        total = [max(0, whole - part) for whole, part in zip(full, size, strict=True)]
        return tuple(pad // 2 if auto_pad == "SAME_UPPER" else pad - pad // 2 for pad in total), size
    pads = (site.ints("pads") if auto_pad == "NOTSET" else None) or (0,) * (2 * len(image))
    if len(pads) != 2 * len(image) or min(pads) < 0:
        raise site.invalid(
            f"attribute pads is {list(pads)}, but must be {2 * len(image)} numbers that are not negative"
        )
    before, after = pads[: len(image)], pads[len(image) :]
    return before, tuple(whole - a - b for whole, a, b in zip(full, before, after, strict=True))


def _weights(site: NodeSite, groups: int) -> Value:
    """[I, O / groups, …, KH, KW] -> [O, …, KH, KW, I / groups]."""
    weights = site.weights(1)
    inputs, made, *spatial = weights.type.shape
    kernel, taken = _filled(tuple(spatial), 1), inputs // groups
    split = site.moved(Reshape((groups, taken, made, *kernel)), weights, "groups")
    turned = site.moved(Transpose((0, *range(2, 3 + len(kernel)), 1)), split, "gohwi")
    return site.moved(Reshape((groups * made, *kernel, taken)), turned, "ohwi")


def _bias(site: NodeSite, outputs: int) -> Value:
    if site.has(2):
        return site.weights(2)
    dtype = site.real(1).type.dtype.numpy
    return site.builder.constant(f"{site.output_name}.no_bias", np.zeros(outputs, dtype))


def _col2im(site: NodeSite) -> Results:
    """[N, C * taps, places] -> [N, C, …]: every place's block is added to the image where it was taken from."""
    image, block = site.known_ints(1, "the image's shape"), site.known_ints(2, "the block's shape")
    batch, rows, count = site.type(0).shape if len(site.type(0).shape) == 3 else (0, 0, 0)
    taps, axes = math.prod(block), len(image)
    if not 1 <= axes <= 3 or len(block) != axes or min(block) < 1 or rows < 1 or rows % taps:
        raise site.invalid(f"blocks {list(block)} of {list(site.type(0).shape)} do not make images {list(image)}")
    strides, dilations = (_numbers(site, name, axes, 1) for name in ("strides", "dilations"))
    pads = _numbers(site, "pads", 2 * axes, 0)
    places = tuple(
        (image[k] + pads[k] + pads[k + axes] - dilations[k] * (block[k] - 1) - 1) // strides[k] + 1 for k in range(axes)
    )
    if taps > _MOST_TAPS:
        raise site.unsupported(f"its blocks have {taps} elements", f"use blocks of at most {_MOST_TAPS}")
    if math.prod(places) != count or min(places) < 1:
        raise site.invalid(f"it has {count} blocks, but {list(places)} blocks make an image {list(image)}")
    grid = site.add(Reshape((batch * rows // taps, taps, *places)), site.real(0), role="grid")
    kernel = site.builder.constant(
        f"{site.output_name}.taps", np.eye(taps, dtype=np.float32).reshape(1, *_filled(block, 1), taps)
    )
    op = _operator(image, strides, pads[:axes], dilations, 1)
    result = site.add(
        op, to_nhwc(site, grid), kernel, site.builder.constant(f"{site.output_name}.no_bias", np.zeros(1, np.float32))
    )
    return (site.add(Reshape((batch, rows // taps, *image)), result),)


IMPORTERS: Importers = {"ConvTranspose": _conv_transpose, "Col2Im": _col2im}
