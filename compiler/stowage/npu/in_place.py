# SPDX-License-Identifier: Apache-2.0
"""How far a segment's first output may lie over its inputs: as far as the stream has read what it writes over.

Only copies touch system memory, and they run in the stream's order. So a byte of the output may be a byte of an input
that no later copy reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stowage.npu.decode import StreamStep, Transfer
from stowage.target.kernels.kernel import Direction, Overlap


def overlaps_of(steps: Sequence[StreamStep], inputs_bytes: Sequence[int], output_bytes: int) -> tuple[Overlap, ...]:
    """The overlaps of a segment's call, without those that would not save a byte.

    Args:
        steps: of its stream.
        inputs_bytes: sizes of its inputs, windows from 1 on.
        output_bytes: size of its first output, the window after them.
    """
    transfers = [transfer for step in steps for transfer in step.transfers]
    overlaps = [
        overlap
        for index, size_bytes in enumerate(inputs_bytes)
        for overlap in _of_input(transfers, index, size_bytes, 1 + len(inputs_bytes), output_bytes)
    ]
    return tuple(overlap for overlap in overlaps if overlap.distance_bytes < output_bytes)


def _of_input(
    transfers: Sequence[Transfer], index: int, size_bytes: int, made: int, made_bytes: int
) -> Iterator[Overlap]:
    """Both ways to lie over one input: the output's lowest and highest bytes so far meet what is read after them."""
    lowest, highest = made_bytes, 0
    forward = backward = 0
    for transfer in transfers:
        begin, end = transfer.outside.offset_bytes, transfer.outside.end_bytes
        if transfer.window == made:
            lowest, highest = min(lowest, begin), max(highest, end)
        elif transfer.window == 1 + index:
            forward = max(forward, highest - begin)
            backward = max(backward, (made_bytes - lowest) - (size_bytes - end))
    yield Overlap(index, forward, Direction.FORWARD)
    yield Overlap(index, backward, Direction.BACKWARD)
