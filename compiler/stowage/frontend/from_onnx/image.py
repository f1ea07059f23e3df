# SPDX-License-Identifier: Apache-2.0
"""ONNX's images have channels first, Stowage's last: transposes around operators on images, which passes cancel.

A signal [N, C, L] becomes the image [N, 1, L, C] of height one, a volume [N, C, D, H, W] becomes [N, D, H, W, C].
"""

from __future__ import annotations

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Reshape, Transpose


def check_image(site: NodeSite, index: int, most: int = 2) -> None:
    """Refuses an operand that is no signal [N, C, L], image [N, C, H, W] or, where `most` is 3, volume
    [N, C, D, H, W]."""
    shape = site.type(index).shape
    if len(shape) < 3:
        raise site.invalid(f"operand {index} has shape {list(shape)}, but must be [N, C, H, W] or [N, C, L]")
    if len(shape) > 2 + most:
        reason = f"operand {index} of shape {list(shape)} has {len(shape) - 2} spatial axes"
        raise site.unsupported(reason, "use one to three" if most == 3 else "use one or two")


def to_nhwc(site: NodeSite, value: Value) -> Value:
    """[N, C, H, W] -> [N, H, W, C], [N, C, D, H, W] -> [N, D, H, W, C], or [N, C, L] -> [N, 1, L, C]."""
    rank = len(value.type.shape)
    if rank > 3:
        return site.add(Transpose((0, *range(2, rank), 1)), value, role="to_nhwc")
    batch, channels, length = value.type.shape
    last = site.add(Transpose((0, 2, 1)), value, role="to_nlc")
    return site.add(Reshape((batch, 1, length, channels)), last, role="to_image")


def from_nhwc(site: NodeSite, value: Value, rank: int) -> Value:
    """The inverse, to a tensor of the given rank."""
    if rank > 3:
        return site.add(Transpose((0, rank - 1, *range(1, rank - 1))), value, role="to_nchw")
    batch, _, length, channels = value.type.shape
    signal = site.add(Reshape((batch, length, channels)), value, role="to_signal")
    return site.add(Transpose((0, 2, 1)), signal, role="to_ncl")


def to_ohwi(site: NodeSite, weights: Value) -> Value:
    """Convolution weights [O, I, …, KH, KW] -> [O, …, KH, KW, I], or [O, I, K] -> [O, 1, K, I]."""
    rank = len(weights.type.shape)
    if rank > 3:
        return site.moved(Transpose((0, *range(2, rank), 1)), weights, "ohwi")
    outputs, inputs, length = weights.type.shape
    last = site.moved(Transpose((0, 2, 1)), weights, "oki")
    return site.moved(Reshape((outputs, 1, length, inputs)), last, "ohwi")
