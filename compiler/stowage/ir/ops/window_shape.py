# SPDX-License-Identifier: Apache-2.0
"""How many places a sliding window takes: the output height and width of convolution and pooling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stowage.ir.ops.op import ShapeError

Pair = tuple[int, int]
Pads = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class WindowAxis:
    """A window that slides along one axis (height or width); all numbers are elements."""

    kernel: int
    stride: int
    dilation: int
    before: int
    after: int

    @property
    def span(self) -> int:
        """Elements from the first that the window touches to the last, both counted."""
        return self.dilation * (self.kernel - 1) + 1

    def places(self, extent: int) -> int:
        """Outputs along the axis for an input of `extent`; not positive where the window does not fit."""
        return (extent + self.before + self.after - self.span) // self.stride + 1

    def taps(self, place: int, extent: int) -> range:
        """Kernel indices that fall inside the input when the window is at output `place`."""
        start = place * self.stride - self.before
        first = max(0, -(start // self.dilation))
        end = min(self.kernel, (extent - 1 - start) // self.dilation + 1)
        return range(first, max(first, end))

    def legal(self) -> bool:
        """Whether kernel, stride and dilation are positive and pads are not negative."""
        return min(self.kernel, self.stride, self.dilation) >= 1 and min(self.before, self.after) >= 0


def window_axes(kernel: Pair, strides: Pair, pads: Pads, dilations: Pair) -> tuple[WindowAxis, WindowAxis]:
    """The window along height and along width."""
    top, left, bottom, right = pads
    height = WindowAxis(kernel[0], strides[0], dilations[0], top, bottom)
    return height, WindowAxis(kernel[1], strides[1], dilations[1], left, right)


def output_extents(image: Pair, axes: tuple[WindowAxis, WindowAxis]) -> Pair:
    """Output (height, width) for an image of (height, width), as `output_extent` gives them."""
    return output_extent("height", image[0], axes[0]), output_extent("width", image[1], axes[1])


def output_extent(name: str, extent: int, axis: WindowAxis) -> int:
    """The output's extent along the axis that messages call `name`.

    Raises:
        ShapeError: the window has an illegal number or is larger than the padded input.
    """
    if not axis.legal():
        raise ShapeError(
            f"the window along the {name} has a kernel, stride or dilation below 1 or a negative pad: {axis}"
        )
    if axis.places(extent) < 1:
        padded = extent + axis.before + axis.after
        raise ShapeError(f"the window spans {axis.span} elements, but the padded {name} of the input has only {padded}")
    return axis.places(extent)


def check_sees_image(image: Pair, axes: tuple[WindowAxis, WindowAxis]) -> None:
    """Refuses a window that at some place covers nothing but padding, where a maximum or a mean does not exist."""
    for name, extent, axis in zip(("height", "width"), image, axes, strict=True):
        check_taps(name, extent, axis)


def check_taps(name: str, extent: int, axis: WindowAxis) -> None:
    """Refuses a window that at some place covers nothing but padding along the axis that messages call `name`."""
    if not all(axis.taps(place, extent) for place in _suspects(axis, extent)):
        raise ShapeError(f"at some place the window covers nothing but padding along the {name} of {extent}")


def _suspects(axis: WindowAxis, extent: int) -> Iterable[int]:
    """Places where the window may miss the image.

    Where its elements are no farther apart than the image is long, it misses only by ending before or starting behind
    it, so that the first and the last place tell: files claim extents that nobody should count through.
    """
    places = axis.places(extent)
    return range(places) if axis.dilation > extent else (0, places - 1)
