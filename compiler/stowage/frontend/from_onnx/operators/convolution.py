# SPDX-License-Identifier: Apache-2.0
"""Conv, plain, grouped and depthwise, over images and signals."""

from __future__ import annotations

from stowage.frontend.from_onnx.image import check_image, from_nhwc, to_nhwc, to_ohwi
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.window import image_window, read_slides
from stowage.ir.ops.window import Conv2d


def convolution(site: NodeSite, data: int, weights: int) -> Conv2d:
    """The operator of a node whose operands `data` and `weights` are the image and the kernels."""
    check_image(site, data)
    image, kernels = site.type(data).shape, site.type(weights).shape
    if len(kernels) != len(image):
        raise site.invalid(f"the weights have shape {list(kernels)}, but the input has {list(image)}")
    window = image_window(read_slides(site, image[2:], kernels[2:]))
    return Conv2d(window.strides, window.pads, window.dilations, groups=site.integer("group", 1))


def _conv(site: NodeSite) -> Results:
    op = convolution(site, 0, 1)
    bias = [site.weights(2)] if site.has(2) else []
    image = to_nhwc(site, site.real(0))
    result = site.add(op, image, to_ohwi(site, site.weights(1)), *bias)
    return (from_nhwc(site, result, len(site.type(0).shape)),)


IMPORTERS: Importers = {"Conv": _conv}
