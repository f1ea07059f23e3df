# SPDX-License-Identifier: Apache-2.0
"""How far an output may lie over an input, from the order in which a kernel reads and writes.

A kernel that walks forward writes its output from the first byte to the last. When it comes to read input byte r it has
written w bytes, and it is right if those lie at or below r: if the output starts at least w - r bytes below the input.
The safe distance is the largest such difference. It is never stated below zero, although a kernel that reads ahead of
its writes could stand that: buffers are aligned, which leaves no use for it.
"""

from __future__ import annotations

from stowage.target.kernels.kernel import Direction, Overlap


def strided_distance_bytes(
    extents: tuple[int, ...], written: tuple[int, ...], read: tuple[int, ...], head_start: int = 0
) -> int:
    """The safe distance of a forward walk whose places are linear in its indices.

    Args:
        extents: of the walk, each at least 1.
        written: bytes that the output has grown by with each step along each axis.
        read: bytes that the reads move on by with each step along each axis.
        head_start: bytes that the output is ahead of the input at the walk's begin (negative: behind).
    """
    lead = sum(max(0, w - r) * (extent - 1) for extent, w, r in zip(extents, written, read, strict=True))
    return max(0, lead + head_start)


def strided_overlaps(
    input_index: int, extents: tuple[int, ...], written: tuple[int, ...], read: tuple[int, ...], around: tuple[int, int]
) -> tuple[Overlap, ...]:
    """The overlaps of such a walk with the parameter `backward`: turned round, it is one from the ends.

    Args:
        input_index: of the operand.
        extents: of the walk.
        written: as of `strided_distance_bytes`.
        read: as of `strided_distance_bytes`.
        around: bytes that the output is ahead of the input at the begin of the forward, and of the backward walk.
    """
    return tuple(
        Overlap(input_index, strided_distance_bytes(extents, written, read, ahead), direction)
        for direction, ahead in zip(Direction, around, strict=True)
    )


def element_by_element(input_index: int, elements: int, input_bytes: int, output_bytes: int) -> Overlap:
    """The overlap of a kernel that makes output element i from input element i alone, for these element sizes.

    It walks forward unless the output's elements are larger, and backward then; the last element it reads has been
    overtaken by (output_bytes - input_bytes) for each of the others.
    """
    growth = output_bytes - input_bytes
    if growth <= 0:
        return Overlap(input_index, 0)
    return Overlap(input_index, growth * (elements - 1), Direction.BACKWARD)
