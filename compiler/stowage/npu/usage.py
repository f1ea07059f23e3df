# SPDX-License-Identifier: Apache-2.0
"""What a segment makes of an NPU, read from its command stream: who is in which bank, bytes, conflicts, cycles, use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stowage.npu.decode import StreamStep, decoded
from stowage.schedule.schedule import Step
from stowage.target.board import Npu


@dataclass(frozen=True, slots=True)
class Usage:
    """Sums over the steps of some segments.

    Attributes:
        steps: of their streams.
        bytes_in: copied into banks.
        bytes_out: copied out of them.
        conflicts: steps in which a bank's port has two users.
        macs: multiply-accumulates.
        cycles: by the documented timing.
        dma_cycles: in which the DMA works.
        hidden_cycles: those of the DMA in which the array works too.
        most_macs: what the array could have done in all the cycles.
    """

    steps: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    conflicts: int = 0
    macs: int = 0
    cycles: int = 0
    dma_cycles: int = 0
    hidden_cycles: int = 0
    most_macs: int = 0

    @property
    def utilisation(self) -> float:
        """The share of the array's multiply-accumulates that is used."""
        return self.macs / self.most_macs if self.most_macs else 0.0

    @property
    def hidden(self) -> float:
        """The share of the DMA's time that costs none."""
        return self.hidden_cycles / self.dma_cycles if self.dma_cycles else 0.0


def stream_of(step: Step, npu: Npu) -> list[StreamStep]:
    """The steps of a segment's stream."""
    return decoded([int(word) for word in step.call.constants[0].array], npu)


def usage_of(steps: Sequence[StreamStep], npu: Npu) -> Usage:
    """What steps come to."""
    cycles = sum(step.cycles for step in steps)
    transfers = [transfer for step in steps for transfer in step.transfers]
    return Usage(
        steps=len(steps),
        bytes_in=sum(transfer.size_bytes for transfer in transfers if not transfer.is_out),
        bytes_out=sum(transfer.size_bytes for transfer in transfers if transfer.is_out),
        conflicts=sum(_conflicts(step) for step in steps),
        macs=sum(each.macs for step in steps for each in step.computations),
        cycles=cycles,
        dma_cycles=sum(step.dma_cycles for step in steps),
        hidden_cycles=sum(min(step.dma_cycles, step.engine_cycles) for step in steps),
        most_macs=cycles * npu.macs_per_cycle,
    )


def _conflicts(step: StreamStep) -> int:
    """Banks that more than one stream uses; copies take turns and count as one."""
    streams = [access.bank for each in step.computations for access in (*each.reads, each.write)]
    users = [*streams, *{transfer.inside.bank for transfer in step.transfers}]
    return len(users) - len(set(users))
