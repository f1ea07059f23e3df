# SPDX-License-Identifier: Apache-2.0
"""MaxPool, AveragePool, LpPool and their global forms, over signals, images and volumes.

A largest element and a mean over a box are those over its depth of those over its height and width: a volume is pooled
as two images.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from stowage.frontend.from_onnx.image import check_image, from_nhwc, to_nhwc
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.operators.unpooling import largest_indices
from stowage.frontend.from_onnx.window import Slide, Window, image_window, kernel_attribute, read_slides
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Pow
from stowage.ir.ops.elementwise import Mul, Table
from stowage.ir.ops.function import Abs, Sqrt
from stowage.ir.ops.movement import Pad, Reshape
from stowage.ir.ops.reduction import ReduceL1, ReduceL2, ReduceMean, ReduceSum
from stowage.ir.ops.window import AveragePool2d, MaxPool2d

_Pool = Callable[[NodeSite, Value, Window], Value]
"""Pools an image [N, H, W, C] under a window."""


def _slides(site: NodeSite, *, sees_image: bool = True) -> tuple[Slide, ...]:
    check_image(site, 0, 3)
    extents = site.type(0).shape[2:]
    slides = read_slides(site, extents, kernel_attribute(site, len(extents)))
    if sees_image and any(max(slide.before, slide.after) >= slide.span for slide in slides):
        pads, spans = [(slide.before, slide.after) for slide in slides], [slide.span for slide in slides]
        raise site.invalid(f"its pads are {pads}, but the window spans {spans} and must see the image")
    return slides


def _pooled(site: NodeSite, value: Value, slides: tuple[Slide, ...], pool: _Pool) -> Value:
    """A signal, image or volume [N, C, …] pooled."""
    rank, image = len(value.type.shape), to_nhwc(site, value)
    if rank < 5:
        return from_nhwc(site, pool(site, image, image_window(slides)), rank)
    batch, depth, height, width, channels = image.type.shape
    planes = site.add(Reshape((batch * depth, height, width, channels)), image, role="planes")
    flat = pool(site, planes, image_window(slides[1:]))
    _, height, width, _ = flat.type.shape
    columns = site.add(Reshape((batch, depth, height * width, channels)), flat, role="columns")
    deep = pool(site, columns, Window(slides[0], Slide()))
    volume = site.add(Reshape((batch, deep.type.shape[1], height, width, channels)), deep, role="volume")
    return from_nhwc(site, volume, rank)


def _max_pool(site: NodeSite) -> Results:
    slides, value = _slides(site), site.operand(0)
    if site.makes(1):
        return _pooled(site, value, slides, _largest), largest_indices(site, value, slides)
    if value.type.dtype is DType.U8 and value.type.quant is None:
        signed = _remapped(site, value, np.arange(-128, 128, dtype=np.int8), "signed")
        pooled = _pooled(site, signed, slides, _largest)
        return (_remapped(site, pooled, np.arange(256, dtype=np.uint8), "unsigned"),)
    return (_pooled(site, value, slides, _largest),)


def _remapped(
    site: NodeSite, value: Value, table: np.ndarray[tuple[int], np.dtype[np.int8 | np.uint8]], role: str
) -> Value:
    """8-bit numbers as others in the same order."""
    return site.add(Table(), value, site.builder.constant(f"{site.output_name}.{role}_table", table), role=role)


def _largest(site: NodeSite, image: Value, window: Window) -> Value:
    return site.add(MaxPool2d(window.kernel, window.strides, window.reach, window.dilations), image)


def _average_pool(site: NodeSite) -> Results:
    return (_pooled(site, site.real(0), _slides(site), _mean),)


def _mean(site: NodeSite, image: Value, window: Window) -> Value:
    pads, counted = window.reach, site.flag("count_include_pad")
    if counted and any(window.overhang):
        # Pads count, but what ceil_mode covers beyond them does not: real zeros for the ones, pads for the other.
        image, pads, counted = _padded(site, image, window), (0, 0, *window.overhang), False
    return site.add(AveragePool2d(window.kernel, window.strides, pads, window.dilations, counted), image)


def _padded(site: NodeSite, image: Value, window: Window) -> Value:
    top, left, bottom, right = window.pads
    return site.add(Pad((0, top, left, 0), (0, bottom, right, 0)), image, role="padded")


def _lp_pool(site: NodeSite) -> Results:
    """The p-th root of the sum of |x|^p: the sum is the mean over all places of the window times how many these are."""
    slides, p = _slides(site, sees_image=False), _order(site)
    means = _pooled(site, _power(site, site.real(0), p), slides, _mean_of_all)
    area = math.prod(slide.kernel for slide in slides)
    sums = site.add(Mul(), means, site.scalar_constant("area", area), role="sums")
    return (_root(site, sums, p),)


def _order(site: NodeSite) -> int:
    """The p of a p-norm."""
    p = site.integer("p", 2)
    if p < 1:
        raise site.invalid(f"attribute p is {p}, but must be positive")
    return p


def _mean_of_all(site: NodeSite, image: Value, window: Window) -> Value:
    op = AveragePool2d(window.kernel, window.strides, window.reach, window.dilations, count_include_pad=True)
    return site.add(op, image)


def _power(site: NodeSite, value: Value, p: int) -> Value:
    """|x|^p."""
    if p == 2:
        return site.add(Mul(), value, value, role="squares")
    size = site.add(Abs(), value, role="sizes")
    return size if p == 1 else site.add(Pow(), size, site.scalar_constant("p", p), role="powers")


def _root(site: NodeSite, value: Value, p: int) -> Value:
    if p < 3:
        return value if p == 1 else site.add(Sqrt(), value, role="root")
    return site.add(Pow(), value, site.scalar_constant("one_by_p", 1 / p), role="root")


def _global_average_pool(site: NodeSite) -> Results:
    return (_over_image(site, site.real(0), lambda image: site.add(ReduceMean((1, 2)), image)),)


def _global_max_pool(site: NodeSite) -> Results:
    def largest(image: Value) -> Value:
        _, height, width, _ = image.type.shape
        return site.add(MaxPool2d((height, width)), image)

    return (_over_image(site, site.operand(0), largest),)


def _global_lp_pool(site: NodeSite) -> Results:
    p = _order(site)

    def norm(image: Value) -> Value:
        if p < 3:
            return site.add(ReduceL1((1, 2)) if p == 1 else ReduceL2((1, 2)), image)
        return _root(site, site.add(ReduceSum((1, 2)), _power(site, image, p), role="sums"), p)

    return (_over_image(site, site.real(0), norm),)


def _over_image(site: NodeSite, value: Value, reduce: Callable[[Value], Value]) -> Value:
    """All spatial axes as those of one image [N, H, W, C], which `reduce` brings to [N, 1, 1, C]."""
    check_image(site, 0, 3)
    shape = value.type.shape
    if len(shape) == 5:
        value = site.add(Reshape((*shape[:2], shape[2] * shape[3], shape[4])), value, role="flat")
    result = from_nhwc(site, reduce(to_nhwc(site, value)), min(len(shape), 4))
    return result if len(shape) < 5 else site.add(Reshape((*shape[:2], 1, 1, 1)), result, role="volume")


IMPORTERS: Importers = {
    "MaxPool": _max_pool,
    "AveragePool": _average_pool,
    "LpPool": _lp_pool,
    "GlobalAveragePool": _global_average_pool,
    "GlobalMaxPool": _global_max_pool,
    "GlobalLpPool": _global_lp_pool,
}
