# SPDX-License-Identifier: Apache-2.0
"""The proof that a command stream is sound, whoever made it: knows the words and the NPU, nothing of tiles.

Step by step: each bank's port has one user (or copies, which take turns); nothing is beyond a bank or a window; nothing
is read from a bank before it was written there; inputs are only read, outputs only written, each byte of them once. No
byte of the data is left unread, and no command makes what nobody reads.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stowage.codegen.unsound import unsound
from stowage.errors import InvalidPlan
from stowage.npu.decode import Access, BadStream, Computation, StreamStep, Transfer, decoded
from stowage.npu.labels import Labels
from stowage.npu.segment import NO_DATA
from stowage.schedule.schedule import Step
from stowage.target.board import Npu


def check_stream(step: Step, npu: Npu) -> None:
    """Checks the stream of a segment.

    Raises:
        InvalidPlan: names the step and what is wrong.
    """
    commands, data = (constant.array for constant in step.call.constants)
    sizes_in = (data.size, *(value.type.size_bytes for value in step.node.inputs))
    sizes_out = tuple(value.type.size_bytes for value in step.node.outputs)
    check_words(step.node.name, [int(word) for word in commands], sizes_in, sizes_out, npu)


def check_words(name: str, stream: Sequence[int], read: Sequence[int], written: Sequence[int], npu: Npu) -> None:
    """Checks a stream.

    Args:
        name: of the step, for the message.
        stream: its words.
        read: sizes in bytes of the windows that are read, from window 0 on.
        written: sizes of the windows after them, which are written.
        npu: the machine.

    Raises:
        InvalidPlan: names the step and what is wrong.
    """
    state = _State(name, read, written, npu)
    try:
        for number, step in enumerate(decoded(stream, npu)):
            state.step(number, step)
    except BadStream as error:
        raise state.fault(str(error)) from error
    state.end()


class _State:
    """What banks and output windows hold after some steps."""

    def __init__(self, name: str, read: Sequence[int], written: Sequence[int], npu: Npu) -> None:
        self.name = name
        self.read = read
        # Who has written each byte last: the number of a command, from 1 on.
        self.banks = Labels([npu.bank_bytes] * npu.banks)
        self.commands = 0
        self.unread: set[int] = set()
        self.windows = Labels([*read, *written])
        self.number = -1

    def fault(self, reason: str) -> InvalidPlan:
        where = f" in step {self.number}" if self.number >= 0 else ""
        return unsound(f'node "{self.name}"', f"its command stream is not sound{where}: {reason}")

    def step(self, number: int, step: StreamStep) -> None:
        self.number = number
        self._ports(step)
        # What a step writes can't be what it reads: that would be one bank for two streams.
        for transfer in step.transfers:
            self._transfer(transfer)
        for computation in step.computations:
            self._compute(computation)

    def end(self) -> None:
        self.number = -1
        data, outputs = self.windows.bytes[0], self.windows.bytes[len(self.read) :]
        for window, written in enumerate(outputs, len(self.read)):
            if not written.all():
                raise self.fault(f"window {window} is not written as a whole")
        if data.size > len(NO_DATA) and not data.all():
            raise self.fault("some of its data is never read")
        if self.unread:
            raise self.fault("some command makes what nobody reads")

    def _ports(self, step: StreamStep) -> None:
        if len(step.computations) > 1:
            raise self.fault("two commands for the engine")
        streams = [access.bank for each in step.computations for access in (*each.reads, each.write)]
        copied = {transfer.inside.bank for transfer in step.transfers}
        if len(set(streams)) != len(streams) or copied & set(streams):
            raise self.fault("two streams on one port")

    def _reads(self, access: Access) -> None:
        writers = self.banks.of(access)
        if not writers.all():
            raise self.fault(f"{access.role} of bank {access.bank} is read before it is written")
        self.unread -= set(np.unique(writers).tolist())

    def _writes(self, access: Access) -> None:
        self.commands += 1
        self.unread.add(self.commands)
        self.banks.of(access)[...] = self.commands

    def _compute(self, computation: Computation) -> None:
        for access in computation.reads:
            self._reads(access)
        self._writes(computation.write)

    def _transfer(self, transfer: Transfer) -> None:
        if transfer.is_out:
            self._reads(transfer.inside)
            self._deliver(transfer)
            return
        if transfer.window >= len(self.read) or self._is_beyond(transfer):
            raise self.fault(f"a copy reads beyond window {transfer.window}, or one that is not read")
        self.windows.of(transfer.outside)[...] = 1
        self._writes(transfer.inside)

    def _deliver(self, transfer: Transfer) -> None:
        if transfer.window < len(self.read) or self._is_beyond(transfer):
            raise self.fault(f"a copy writes beyond window {transfer.window}, or one that is not written")
        written = self.windows.of(transfer.outside)
        if written.any():
            raise self.fault(f"a byte of window {transfer.window} is written twice")
        written[...] = 1

    def _is_beyond(self, transfer: Transfer) -> bool:
        sizes = [window.size for window in self.windows.bytes]
        return transfer.window >= len(sizes) or transfer.outside.end_bytes > sizes[transfer.window]
