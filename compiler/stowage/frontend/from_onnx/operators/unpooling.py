# SPDX-License-Identifier: Apache-2.0
"""MaxUnpool, and the indices that MaxPool makes for it."""

from __future__ import annotations

from typing import Any

from stowage.frontend.from_onnx.image import check_image, from_nhwc, to_nhwc
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.window import Slide, kernel_attribute
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Pad, Reshape
from stowage.ir.ops.unpooling import MaxPoolIndices, Unpool


def largest_indices(site: NodeSite, value: Value, slides: tuple[Slide, ...]) -> Value:
    """The indices of the largest elements of a signal, image or volume [N, C, …]."""
    rank, image = len(value.type.shape), to_nhwc(site, value)
    batch, *extents, channels = image.type.shape
    deep = site.add(Reshape((batch, *_three(extents, 1), channels)), image, role="deep")
    window = (Slide(),) * (3 - len(slides)) + slides
    pads = [slide.before for slide in window] + [slide.after + slide.overhang for slide in window]
    fields: list[Any] = [tuple(getattr(slide, name) for slide in window) for name in ("kernel", "stride", "dilation")]
    kernel, strides, dilations = fields
    op = MaxPoolIndices(kernel, strides, _six(pads), dilations, site.flag("storage_order"))
    indices = site.add(op, deep, role="indices")
    shape = indices.type.shape if rank == 5 else (batch, *indices.type.shape[2:])
    return from_nhwc(site, site.add(Reshape(shape), indices, role="flat_indices"), rank)


def _three(extents: list[int], missing: int) -> tuple[int, ...]:
    return (missing,) * (3 - len(extents)) + tuple(extents)


def _six(pads: list[int]) -> tuple[int, int, int, int, int, int]:
    first, second, third, fourth, fifth, sixth = pads
    return first, second, third, fourth, fifth, sixth


def _max_unpool(site: NodeSite) -> Results:
    """The indices count in the tensor that the window alone says; a larger output has it in its first corner."""
    check_image(site, 0, 3)
    shape = site.type(0).shape
    axes = len(shape) - 2
    kernel = kernel_attribute(site, axes)
    strides, pads = site.ints("strides") or (1,) * axes, site.ints("pads") or (0,) * (2 * axes)
    if len(strides) != axes or len(pads) != 2 * axes:
        raise site.invalid(f"strides {list(strides)} and pads {list(pads)} do not go with the input {list(shape)}")
    inner = (*shape[:2], *((shape[k + 2] - 1) * strides[k] - pads[k] - pads[k + axes] + kernel[k] for k in range(axes)))
    outer = site.known_ints(2, "the output's shape") if site.has(2) else inner
    if len(outer) != len(inner) or min(inner) < 1 or any(a > b for a, b in zip(inner, outer, strict=True)):
        raise site.invalid(f"the output's shape {list(outer)} has no room for {list(inner)}")
    result = site.add(Unpool(inner), site.real(0), site.number(1), role="unpooled")
    after = tuple(b - a for a, b in zip(inner, outer, strict=True))
    return (site.add(Pad((0,) * len(inner), after), result) if any(after) else result,)


IMPORTERS: Importers = {"MaxUnpool": _max_unpool}
