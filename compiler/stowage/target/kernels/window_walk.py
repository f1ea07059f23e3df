# SPDX-License-Identifier: Apache-2.0
"""The order in which kernels take the pixels of an image, and the safe distances that follow from it.

A kernel takes output pixels, of all images of a batch, in ascending order, or walking backward in descending order.
When the p-th of them is due, its output has grown by p pixels, and its window reads the input from some pixel on;
the safe distance is the largest lead of the one over the other. Backward everything is counted from the ends.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Node
from stowage.ir.ops.window_shape import Pair, WindowAxis, window_axes
from stowage.target.kernels.kernel import Direction, Overlap
from stowage.target.kernels.window_parameters import WindowOp

Counts = NDArray[np.int64]

UNSEEN = 1 << 31
"""Pixels before the first that a window of padding alone reads: more than any image has."""


def both_ways(distance_elements: Callable[[Direction], int], element_bytes: int) -> tuple[Overlap, ...]:
    """The overlaps of a kernel with the parameter `backward` over its first input."""
    return tuple(Overlap(0, element_bytes * distance_elements(direction), direction) for direction in Direction)


def pixels_before(node: Node, op: WindowOp, kernel: Pair, direction: Direction) -> Counts:
    """How many input pixels the walk leaves behind before the first that a window reads.

    Returns:
        [batch, output height, output width] in the order of the walk; UNSEEN or more for windows that read nothing.
    """
    batches, height, width, _ = node.inputs[0].type.shape
    _, rows, columns, _ = node.output.type.shape
    down, across = window_axes(kernel, op.strides, op.pads, op.dilations)
    above = _places_before(down, height, rows, direction)
    beside = _places_before(across, width, columns, direction)
    images = np.arange(batches, dtype=np.int64) * height * width
    return images[:, None, None] + above[:, None] * width + beside


def lead(before: Counts, written: int, read: int, ahead: Counts | int) -> int:
    """The safe distance in elements, of kernels that read a pixel's window while they write that pixel.

    Args:
        before: of `pixels_before`.
        written: channels of an output pixel.
        read: channels of an input pixel.
        ahead: elements by which the output is further than the pixels before this one, less the channels of the
            input pixel that are done with: both at the moment at which that is the most. For each pixel or for all.
    """
    made = np.arange(before.size, dtype=np.int64).reshape(before.shape) * written
    return int((made - before * read + ahead).max(initial=0))


def gathered_lead(before: Counts, written: int, read: int, at_once: int) -> int:
    """The same for kernels that read the windows of `at_once` pixels (at the end fewer) before they write them."""
    starts = np.arange(0, before.size, at_once, dtype=np.int64)
    first = np.minimum.reduceat(before.ravel(), starts) if starts.size else starts
    return int((starts * written - first * read).max(initial=0))


def block_ahead(pixels: int, channels: int, last: int, multiplier: int, direction: Direction) -> int:
    """`ahead` of a kernel that makes some pixels together, block of channels by block of channels, ascending.

    Channel c is made from input channel c / multiplier of the windows. The last block is when most is written; where
    it is the only one, nothing is. Blocks of channels ascend even walking backward: then, all of the pixels may have
    been written from their first channel on, and the windows are still read up to their last.

    Args:
        pixels: how many are made together.
        channels: of an output pixel.
        last: the first channel of the last block.
        multiplier: output channels to an input channel.
        direction: of the walk.
    """
    if last == 0:
        return 0
    if direction is Direction.BACKWARD:
        return pixels * channels
    return (pixels - 1) * channels + last - last // multiplier


def last_block(channels: int, block: int) -> int:
    """The first channel of the last block, where channels that do not fill one are made one by one."""
    return channels - (block if channels % block == 0 else 1)


def _places_before(axis: WindowAxis, extent: int, places: int, direction: Direction) -> Counts:
    """Along one axis: input places before the first that is read, for each output place in the order of the walk."""
    order = range(places) if direction is Direction.FORWARD else range(places - 1, -1, -1)
    return np.array([_place_before(axis, extent, place, direction) for place in order], np.int64)


def _place_before(axis: WindowAxis, extent: int, place: int, direction: Direction) -> int:
    taps = axis.taps(place, extent)
    if not taps:
        return UNSEEN
    start = place * axis.stride - axis.before
    if direction is Direction.FORWARD:
        return start + taps[0] * axis.dilation
    return extent - 1 - (start + taps[-1] * axis.dilation)
