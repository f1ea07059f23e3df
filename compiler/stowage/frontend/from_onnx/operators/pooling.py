# SPDX-License-Identifier: Apache-2.0
"""MaxPool, AveragePool and their global forms."""

from __future__ import annotations

from stowage.frontend.from_onnx.image import check_image, from_nhwc, to_nhwc
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.window import Window, kernel_attribute, read_window
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Pad
from stowage.ir.ops.reduction import ReduceMean
from stowage.ir.ops.window import AveragePool2d, MaxPool2d


def _window(site: NodeSite) -> Window:
    check_image(site, 0)
    extents = site.type(0).shape[2:]
    window = read_window(site, extents, kernel_attribute(site, len(extents)))
    spans = [dilation * (kernel - 1) + 1 for kernel, dilation in zip(window.kernel, window.dilations, strict=True)]
    if any(pad >= span for pad, span in zip(window.pads, spans * 2, strict=True)):
        raise site.invalid(
            f"attribute pads is {list(window.pads)}, but the window spans {spans} and must see the image"
        )
    return window


def _max_pool(site: NodeSite) -> Results:
    if site.makes(1):
        raise site.unsupported("the second output (Indices) is used", "remove it")
    window = _window(site)
    image = to_nhwc(site, site.operand(0))
    result = site.add(MaxPool2d(window.kernel, window.strides, window.reach, window.dilations), image)
    return (from_nhwc(site, result, len(site.type(0).shape)),)


def _average_pool(site: NodeSite) -> Results:
    window = _window(site)
    image = to_nhwc(site, site.real(0))
    pads, counted = window.reach, site.flag("count_include_pad")
    if counted and any(window.overhang):
        # Pads count, but what ceil_mode covers beyond them does not: real zeros for the ones, pads for the other.
        image, pads, counted = _padded(site, image, window), (0, 0, *window.overhang), False
    op = AveragePool2d(window.kernel, window.strides, pads, window.dilations, counted)
    return (from_nhwc(site, site.add(op, image), len(site.type(0).shape)),)


def _padded(site: NodeSite, image: Value, window: Window) -> Value:
    top, left, bottom, right = window.pads
    return site.add(Pad((0, top, left, 0), (0, bottom, right, 0)), image, role="padded")


def _global_average_pool(site: NodeSite) -> Results:
    check_image(site, 0)
    result = site.add(ReduceMean((1, 2)), to_nhwc(site, site.real(0)))
    return (from_nhwc(site, result, len(site.type(0).shape)),)


def _global_max_pool(site: NodeSite) -> Results:
    check_image(site, 0)
    image = to_nhwc(site, site.operand(0))
    _, height, width, _ = image.type.shape
    return (from_nhwc(site, site.add(MaxPool2d((height, width)), image), len(site.type(0).shape)),)


IMPORTERS: Importers = {
    "MaxPool": _max_pool,
    "AveragePool": _average_pool,
    "GlobalAveragePool": _global_average_pool,
    "GlobalMaxPool": _global_max_pool,
}
