# SPDX-License-Identifier: Apache-2.0
"""The sliding window of Conv and the pools: what kernel, strides, dilations, pads, auto_pad and ceil_mode come to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stowage.frontend.from_onnx.node_site import NodeSite

LARGEST_NUMBER = 2**16 - 1
"""For extents, strides, dilations and pads of a window, which the generated C keeps in 32 bits when multiplied."""

Pair = tuple[int, int]
Pads = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Slide:
    """A window along one axis.

    Attributes:
        kernel, stride, dilation: elements.
        before, after: pads, as the file or its auto_pad says.
        overhang: what the last window covers beyond the pads because of ceil_mode.
    """

    kernel: int = 1
    stride: int = 1
    dilation: int = 1
    before: int = 0
    after: int = 0
    overhang: int = 0

    @property
    def span(self) -> int:
        """Elements from the first that the window touches to the last, both counted."""
        return self.dilation * (self.kernel - 1) + 1


@dataclass(frozen=True, slots=True)
class Window:
    """A window over height and width."""

    height: Slide
    width: Slide

    @property
    def kernel(self) -> Pair:
        """(height, width)."""
        return self.height.kernel, self.width.kernel

    @property
    def strides(self) -> Pair:
        """(height, width)."""
        return self.height.stride, self.width.stride

    @property
    def dilations(self) -> Pair:
        """(height, width)."""
        return self.height.dilation, self.width.dilation

    @property
    def pads(self) -> Pads:
        """(top, left, bottom, right), as the file or its auto_pad says."""
        return self.height.before, self.width.before, self.height.after, self.width.after

    @property
    def overhang(self) -> Pair:
        """(bottom, right): what the last window covers beyond the pads because of ceil_mode."""
        return self.height.overhang, self.width.overhang

    @property
    def reach(self) -> Pads:
        """Pads that make a window with floor rounding visit the same places."""
        top, left, bottom, right = self.pads
        return top, left, bottom + self.overhang[0], right + self.overhang[1]


def image_window(slides: tuple[Slide, ...]) -> Window:
    """The window over an image; a signal has height one."""
    height, width = slides if len(slides) == 2 else (Slide(), *slides)
    return Window(height, width)


def read_slides(site: NodeSite, extents: tuple[int, ...], kernel: tuple[int, ...]) -> tuple[Slide, ...]:
    """The window of a node, an axis at a time.

    Args:
        site: the node.
        extents: the input's spatial extents.
        kernel: the window's extents, as many.
    """
    if site.ints("kernel_shape") not in (None, kernel):
        raise site.invalid(f"kernel_shape is {site.ints('kernel_shape')}, but the weights' kernel is {kernel}")
    strides = _positive(site, "strides", len(extents))
    dilations = _positive(site, "dilations", len(extents))
    pads = _pads(site, len(extents))
    return tuple(
        _slide(site, extent, Slide(kernel[k], strides[k], dilations[k], pads[k], pads[k + len(extents)]))
        for k, extent in enumerate(extents)
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


def _slide(site: NodeSite, extent: int, asked: Slide) -> Slide:
    """With the pads of auto_pad and the overhang of ceil_mode."""
    auto_pad = site.text("auto_pad", "NOTSET", ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"))
    if auto_pad.startswith("SAME"):
        places = -(-extent // asked.stride)
        total = max(0, (places - 1) * asked.stride + asked.span - extent)
        less, more = total // 2, total - total // 2
        before, after = (less, more) if auto_pad == "SAME_UPPER" else (more, less)
        return replace(asked, before=before, after=after)
    return replace(asked, overhang=_overhang(extent, asked)) if site.flag("ceil_mode") else asked


def _overhang(extent: int, slide: Slide) -> int:
    """What rounding up adds at the end; a window that would start behind the image and its first pad is left out."""
    padded = extent + slide.before + slide.after
    places = -(-(padded - slide.span) // slide.stride) + 1
    if (places - 1) * slide.stride >= extent + slide.before:
        places -= 1
    return max(0, (places - 1) * slide.stride + slide.span - padded)
