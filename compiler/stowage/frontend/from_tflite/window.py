# SPDX-License-Identifier: Apache-2.0
"""Strides, dilations and padding of TFLite's windows: SAME puts the odd element of padding behind the image."""

from __future__ import annotations

import tflite

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.ops.window_shape import Pads, Pair


def strides(site: OperatorSite) -> Pair:
    """(height, width), at least 1."""
    return _positive(site, "StrideH", "StrideW")


def dilations(site: OperatorSite) -> Pair:
    """(height, width), at least 1."""
    return _positive(site, "DilationHFactor", "DilationWFactor")


def filter_size(site: OperatorSite) -> Pair:
    """(height, width) of a pooling window, at least 1."""
    return _positive(site, "FilterHeight", "FilterWidth")


def _positive(site: OperatorSite, height: str, width: str) -> Pair:
    pair = site.option(height, 1), site.option(width, 1)
    if min(pair) < 1:
        site.invalid(f"{height} and {width} are {pair[0]} and {pair[1]}")
    return pair


def pads(site: OperatorSite, image: Pair, kernel: Pair, steps: Pair, spread: Pair = (1, 1)) -> Pads:
    """(top, left, bottom, right) for an image and a kernel of (height, width)."""
    padding = site.option("Padding")
    if padding == tflite.Padding.VALID:
        return 0, 0, 0, 0
    if padding != tflite.Padding.SAME:
        site.invalid(f"its padding is number {padding}")
    (top, bottom), (left, right) = (
        _same(extent, (size - 1) * apart + 1, step)
        for extent, size, apart, step in zip(image, kernel, spread, steps, strict=True)
    )
    return top, left, bottom, right


def _same(extent: int, span: int, stride: int) -> Pair:
    """Padding before and after such that there is an output for every `stride` inputs."""
    places = -(-extent // stride)
    total = max((places - 1) * stride + span - extent, 0)
    return total // 2, total - total // 2
