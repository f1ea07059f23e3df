# SPDX-License-Identifier: Apache-2.0
"""The proof that a segment's call may lie over its inputs as it says: no copy reads what one has written over.

Byte by byte, from the copies of the stream alone: when each byte of an input is read last, and when each byte of the
output is written first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stowage.codegen.unsound import unsound
from stowage.npu.decode import StreamStep
from stowage.npu.labels import Labels
from stowage.schedule.schedule import Step
from stowage.target.kernels.kernel import Direction, Overlap

_NEVER = np.iinfo(np.int64).max


def check_overlaps(step: Step, stream: Sequence[StreamStep]) -> None:
    """Checks the overlaps of a segment.

    Args:
        step: the segment.
        stream: the steps of its stream, each access of which is within its window.

    Raises:
        InvalidPlan: names the step and the input at fault.
    """
    sizes = [value.type.size_bytes for value in (*step.node.inputs, step.node.outputs[0])]
    last_read, first_write = _times(stream, [step.call.constants[1].array.nbytes, *sizes])
    for overlap in step.call.overlaps:
        if not 0 <= overlap.input < len(step.node.inputs) or overlap.distance_bytes < 0:
            raise unsound(f'node "{step.node.name}"', "its call may lie over what is no input")
        read, written = last_read.bytes[1 + overlap.input], first_write.bytes[len(sizes)]
        if not _stands(read, written, overlap):
            name = step.node.inputs[overlap.input].name
            raise unsound(f'node "{step.node.name}"', f'its stream reads "{name}" where it has written over it')


def _times(stream: Sequence[StreamStep], sizes: Sequence[int]) -> tuple[Labels, Labels]:
    """By window and byte: the number of the last copy that reads it, from 1 on, and of the first that writes it."""
    last_read, first_write = Labels(sizes), Labels(sizes)
    transfers = [transfer for step in stream for transfer in step.transfers if transfer.window < len(sizes)]
    for number, transfer in enumerate(transfers, 1):
        if not transfer.is_out:
            last_read.of(transfer.outside)[...] = number
    for number, transfer in reversed(list(enumerate(transfers, 1))):
        if transfer.is_out:
            first_write.of(transfer.outside)[...] = number
    return last_read, first_write


def _stands(read: NDArray[np.int64], written: NDArray[np.int64], overlap: Overlap) -> bool:
    """Whether no byte is read after it is written, wherever the overlap lets the output lie.

    Byte i of the input may be byte i + d of the output for every d from the distance on; both count from their ends
    where the overlap is one of a walk backward.
    """
    if overlap.direction is Direction.BACKWARD:
        read, written = read[::-1], written[::-1]
    times = np.where(written == 0, _NEVER, written)
    earliest_from = np.append(np.minimum.accumulate(times[::-1])[::-1], _NEVER)
    meets = np.minimum(np.arange(read.size) + overlap.distance_bytes, times.size)
    return bool((read < earliest_from[meets]).all())
