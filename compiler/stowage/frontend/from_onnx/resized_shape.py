# SPDX-License-Identifier: Apache-2.0
"""The output shape of Resize and the scales that its coordinates are computed with, from the one that is given."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stowage.frontend.from_onnx.node_site import NodeSite

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Resizing:
    """What becomes of a tensor.

    Attributes:
        shape: the output's.
        scales: factor of each axis.
        axes: those that are resized.
        shrinks: whether one of them gets shorter.
    """

    shape: Shape
    scales: tuple[float, ...]
    axes: tuple[int, ...]
    shrinks: bool


def resizing_of(site: NodeSite, shape: Shape) -> Resizing:
    """What a Resize or Upsample node does to its input of the given shape."""
    axes = listed_axes(site, len(shape))
    scales, sizes = _scales(site), _sizes(site)
    if bool(scales) == bool(sizes):
        raise site.invalid("either scales or sizes must be given")
    if len(scales or sizes) != len(axes):
        raise site.invalid(f"scales or sizes must have {len(axes)} entries")
    resized = tuple(shape[axis] for axis in axes)
    if sizes:
        sizes, scales = _fitted(site, resized, sizes)
    else:
        sizes = _lengths(site, resized, scales)
    factors, result = [1.0] * len(shape), list(shape)
    for index, axis in enumerate(axes):
        factors[axis], result[axis] = scales[index], sizes[index]
    if min(factors) <= 0 or min(result) < 1:
        raise site.invalid(f"it resizes {list(shape)} to {result} by {factors}, but all must be positive")
    changed = tuple(axis for axis in range(len(shape)) if result[axis] != shape[axis] or factors[axis] != 1.0)
    return Resizing(tuple(result), tuple(factors), changed, any(a < b for a, b in zip(result, shape, strict=True)))


def _lengths(site: NodeSite, shape: Shape, scales: tuple[float, ...]) -> Shape:
    """In single precision, as ONNX stores scales: 0.7 * 10 is 7."""
    with np.errstate(over="ignore"):
        lengths = np.array(shape, np.float32) * np.array(scales, np.float32)
    if not np.isfinite(lengths).all():
        raise site.invalid(f"it resizes {list(shape)} by {list(scales)}")
    return tuple(math.floor(length) for length in lengths.tolist())


def listed_axes(site: NodeSite, rank: int) -> tuple[int, ...]:
    """The axes that scales, sizes and regions are given for."""
    listed = site.ints("axes") if site.opset >= 18 else None
    return tuple(range(rank)) if listed is None else tuple(site.axis(axis, rank) for axis in listed)


def _scales(site: NodeSite) -> tuple[float, ...]:
    """An attribute of Upsample before operator set 9, then an operand; a region of interest is before it since 11."""
    if site.opset < 9:
        return site.floats("scales") or ()
    index = 1 if site.opset < 11 else 2
    if not site.has(index):
        return ()
    scales = site.known(index, "the list of scales")
    if scales.dtype.kind != "f" or scales.ndim > 1:
        raise site.invalid("the scales must be a list of floating-point numbers")
    return tuple(float(scale) for scale in scales.reshape(-1))


def _sizes(site: NodeSite) -> Shape:
    return site.known_ints(3, "the list of sizes") if site.has(3) else ()


def _fitted(site: NodeSite, shape: Shape, sizes: Shape) -> tuple[Shape, tuple[float, ...]]:
    """Sizes and scales; where the aspect ratio is to be kept, the sizes are limits and one scale serves all axes."""
    policy = site.text("keep_aspect_ratio_policy", "stretch", ("stretch", "not_larger", "not_smaller"))
    scales = tuple(size / extent for size, extent in zip(sizes, shape, strict=True))
    if policy == "stretch":
        return sizes, scales
    scale = min(scales) if policy == "not_larger" else max(scales)
    return tuple(math.floor(scale * extent + 0.5) for extent in shape), (scale,) * len(shape)
