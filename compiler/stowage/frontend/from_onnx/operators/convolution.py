# SPDX-License-Identifier: Apache-2.0
"""Conv, plain, grouped and depthwise, over signals, images and volumes."""

from __future__ import annotations

from stowage.frontend.from_onnx.image import check_image, from_nhwc, to_nhwc, to_ohwi
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.window import Slide, image_window, read_slides
from stowage.ir.ops.volume import Conv3d
from stowage.ir.ops.window import Conv2d


def convolution(site: NodeSite, data: int, weights: int) -> Conv2d:
    """The operator of a node whose operands `data` and `weights` are the image or signal and the kernels."""
    check_image(site, data)
    window = image_window(_slides(site, data, weights))
    return Conv2d(window.strides, window.pads, window.dilations, groups=site.integer("group", 1))


def _slides(site: NodeSite, data: int, weights: int) -> tuple[Slide, ...]:
    image, kernels = site.type(data).shape, site.type(weights).shape
    if len(kernels) != len(image):
        raise site.invalid(f"the weights have shape {list(kernels)}, but the input has {list(image)}")
    return read_slides(site, image[2:], kernels[2:])


def _volume_convolution(site: NodeSite) -> Conv3d:
    depth, height, width = _slides(site, 0, 1)
    return Conv3d(
        strides=(depth.stride, height.stride, width.stride),
        pads=(depth.before, height.before, width.before, depth.after, height.after, width.after),
        dilations=(depth.dilation, height.dilation, width.dilation),
        groups=site.integer("group", 1),
    )


def _conv(site: NodeSite) -> Results:
    check_image(site, 0, 3)
    rank = len(site.type(0).shape)
    op = _volume_convolution(site) if rank == 5 else convolution(site, 0, 1)
    bias = [site.weights(2)] if site.has(2) else []
    result = site.add(op, to_nhwc(site, site.real(0)), to_ohwi(site, site.weights(1)), *bias)
    return (from_nhwc(site, result, rank),)


IMPORTERS: Importers = {"Conv": _conv}
