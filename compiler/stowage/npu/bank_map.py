# SPDX-License-Identifier: Apache-2.0
"""What lies in which bank from when to when, read from a command stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stowage.npu.decode import Access, StreamStep, Transfer
from stowage.npu.labels import Labels
from stowage.target.board import Npu


@dataclass(frozen=True, slots=True)
class Resident:
    """What one command puts into a bank, from then on to the last step that reads a byte of it.

    Attributes:
        bank: which.
        offset_bytes: where it begins.
        end_bytes: where its last line ends; other residents may lie between its lines.
        what: the bytes of a window that a copy brings, or the command that makes it.
        first: number of the step that writes it.
        last: number of the last step that reads of it.
    """

    bank: int
    offset_bytes: int
    end_bytes: int
    what: str
    first: int
    last: int


def residents_of(steps: Sequence[StreamStep], windows: Sequence[str], npu: Npu) -> list[Resident]:
    """All that lies in banks, in the order in which it is written.

    Args:
        steps: of a stream that is sound.
        windows: names of its windows.
        npu: the machine.
    """
    writers = Labels([npu.bank_bytes] * npu.banks)
    written: list[tuple[Access, str, int]] = []
    last: list[int] = []
    for number, step in enumerate(steps):
        for access, what in _in_turn(step, windows):
            if what:
                written.append((access, what, number))
                last.append(number)
                writers.of(access)[...] = len(written)
            else:
                for writer in np.unique(writers.of(access)):
                    last[int(writer) - 1] = number
    return [
        Resident(access.bank, access.offset_bytes, access.end_bytes, what, first, end)
        for (access, what, first), end in zip(written, last, strict=True)
    ]


def _in_turn(step: StreamStep, windows: Sequence[str]) -> Iterator[tuple[Access, str]]:
    """What a step touches in banks, and what that is of what it writes there."""
    for transfer in step.transfers:
        yield transfer.inside, "" if transfer.is_out else _told(transfer, windows)
    for computation in step.computations:
        yield from ((access, "") for access in computation.reads)
        yield computation.write, computation.name


def _told(transfer: Transfer, windows: Sequence[str]) -> str:
    begin = transfer.outside.offset_bytes
    return f"{windows[transfer.window]}[{begin}:{begin + transfer.size_bytes}]"
