# SPDX-License-Identifier: Apache-2.0
"""The sliding window of Conv and the pools: what kernel, strides, dilations, pads, auto_pad and ceil_mode come to."""

from __future__ import annotations

from dataclasses import dataclass

from stowage.frontend.from_onnx.node_site import NodeSite

LARGEST_NUMBER = 2**16 - 1
"""For extents, strides, dilations and pads of a window, which the generated C keeps in 32 bits when multiplied."""

Pair = tuple[int, int]
Pads = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Window:
    """A window over height and width; a signal has height one.

    Attributes:
        kernel, strides, dilations: (height, width).
        pads: (top, left, bottom, right), as the file or its auto_pad says.
        overhang: (bottom, right): what the last window covers beyond the pads because of ceil_mode.
    """

    kernel: Pair
    strides: Pair
    dilations: Pair
    pads: Pads
    overhang: Pair

    @property
    def reach(self) -> Pads:
        """Pads that make a window with floor rounding visit the same places."""
        top, left, bottom, right = self.pads
        return top, left, bottom + self.overhang[0], right + self.overhang[1]


@dataclass(frozen=True, slots=True)
class _Axis:
    kernel: int
    stride: int
    dilation: int
    before: int
    after: int
    overhang: int


def read_window(site: NodeSite, image: tuple[int, ...], kernel: tuple[int, ...]) -> Window:
    """The window of a node.

    Args:
        site: the node.
        image: the input's spatial extents (one or two).
        kernel: the window's extents, as many.
    """
    if site.ints("kernel_shape") not in (None, kernel):
        raise site.invalid(f"kernel_shape is {site.ints('kernel_shape')}, but the weights' kernel is {kernel}")
    strides = _positive(site, "strides", len(image))
    dilations = _positive(site, "dilations", len(image))
    pads = _pads(site, len(image))
    axes = [
        _axis(site, extent, kernel[k], strides[k], dilations[k], (pads[k], pads[k + len(image)]))
        for k, extent in enumerate(image)
    ]
    height, width = axes if len(axes) == 2 else [_Axis(1, 1, 1, 0, 0, 0), *axes]
    return Window(
        kernel=(height.kernel, width.kernel),
        strides=(height.stride, width.stride),
        dilations=(height.dilation, width.dilation),
        pads=(height.before, width.before, height.after, width.after),
        overhang=(height.overhang, width.overhang),
    )


def kernel_attribute(site: NodeSite, axes: int) -> tuple[int, ...]:
    """The window's extents of an operator without weights."""
    if site.ints("kernel_shape") is None:
        raise site.invalid("attribute kernel_shape is missing")
    return _positive(site, "kernel_shape", axes)


def _positive(site: NodeSite, name: str, count: int) -> tuple[int, ...]:
    values = site.ints(name) or (1,) * count
    if len(values) != count or min(values) < 1:
        raise site.invalid(f"attribute {name} is {list(values)}, but must be {count} positive numbers")
    _check_size(site, name, values)
    return values


def _pads(site: NodeSite, axes: int) -> tuple[int, ...]:
    pads = site.ints("pads") or (0,) * (2 * axes)
    if len(pads) != 2 * axes or min(pads) < 0:
        raise site.invalid(f"attribute pads is {list(pads)}, but must be {2 * axes} numbers that are not negative")
    _check_size(site, "pads", pads)
    if any(pads) and site.text("auto_pad", "NOTSET") != "NOTSET":
        raise site.invalid(f"attribute pads is {list(pads)} and auto_pad is given, but one excludes the other")
    return pads


def _check_size(site: NodeSite, name: str, values: tuple[int, ...]) -> None:
    if max(values) > LARGEST_NUMBER:
        raise site.unsupported(f"attribute {name} is {list(values)}", f"use numbers up to {LARGEST_NUMBER}")


def _axis(site: NodeSite, extent: int, kernel: int, stride: int, dilation: int, pads: Pair) -> _Axis:
    auto_pad = site.text("auto_pad", "NOTSET", ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"))
    span = dilation * (kernel - 1) + 1
    if auto_pad.startswith("SAME"):
        places = -(-extent // stride)
        total = max(0, (places - 1) * stride + span - extent)
        less, more = total // 2, total - total // 2
        before, after = (less, more) if auto_pad == "SAME_UPPER" else (more, less)
        return _Axis(kernel, stride, dilation, before, after, 0)
    before, after = pads
    overhang = 0
    if site.flag("ceil_mode"):
        overhang = _overhang(extent, span, stride, before, after)
    return _Axis(kernel, stride, dilation, before, after, overhang)


def _overhang(extent: int, span: int, stride: int, before: int, after: int) -> int:
    """What rounding up adds at the end; a window that would start behind the image and its first pad is left out."""
    places = -(-(extent + before + after - span) // stride) + 1
    if (places - 1) * stride >= extent + before:
        places -= 1
    return max(0, (places - 1) * stride + span - (extent + before + after))
