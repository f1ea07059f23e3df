# SPDX-License-Identifier: Apache-2.0
"""How low an arena can possibly be: the most bytes that are alive at one moment, whatever the offsets."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from stowage.memory.conflicts import Conflicts, aligned
from stowage.memory.problem import Buffer


def lower_bound_bytes(conflicts: Conflicts) -> int:
    """No placement of these buffers ends below this.

    Counted twice, byte by byte and in grains of the coarsest alignment that all buffers have: apart from the one that
    ends highest, a buffer uses up its last grain. What has a given place ends where it ends.
    """
    grain_bytes = min((buffer.alignment_bytes for buffer in conflicts.buffers), default=1)
    ends = (buffer.fixed_bytes + buffer.size_bytes for buffer in conflicts.buffers if buffer.fixed_bytes is not None)
    return max(_bound(conflicts, 1), _bound(conflicts, grain_bytes), *ends)


def _bound(conflicts: Conflicts, grain_bytes: int) -> int:
    crowds = Crowds.of(conflicts, grain_bytes)
    return max((crowds.need_bytes(crowd) for crowd in crowds.members), default=0)


def _sees_birth(witness: Buffer, born: Buffer) -> bool:
    """Whether a buffer is alive at another one's first moment."""
    return witness.first <= born.first <= witness.last


@dataclass(frozen=True, slots=True)
class Crowds:
    """The buffers alive at each moment at which one is born; at no moment are there others.

    Attributes:
        members: for each buffer, those alive at its first moment, itself among them.
        sizes_bytes: sizes in whole grains.
        pads_bytes: what of the last grain each leaves empty.
        shared_bytes: for each buffer those that were there when it came and may share bytes with it, with how many.
    """

    members: tuple[tuple[int, ...], ...]
    sizes_bytes: tuple[int, ...]
    pads_bytes: tuple[int, ...]
    shared_bytes: tuple[Mapping[int, int], ...]

    @staticmethod
    def of(conflicts: Conflicts, grain_bytes: int) -> Crowds:
        """The crowds of a problem, counted in grains."""
        buffers, numbers = conflicts.buffers, range(len(conflicts.buffers))
        others = ((j for j in conflicts.clearance_bytes[i] if _sees_birth(buffers[j], buffers[i])) for i in numbers)
        members = tuple((i, *each) for i, each in zip(numbers, others, strict=True))
        sizes = tuple(aligned(buffer.size_bytes, grain_bytes) for buffer in buffers)
        pads = tuple(size - buffer.size_bytes for size, buffer in zip(sizes, buffers, strict=True))
        overlapped = ([j for j in members[i][1:] if conflicts.may_overlap(i, j)] for i in numbers)
        shared = ({j: conflicts.shared_bytes(i, j, grain_bytes) for j in each} for i, each in enumerate(overlapped))
        return Crowds(members, sizes, pads, tuple({j: s for j, s in each.items() if s} for each in shared))

    def largest(self) -> list[tuple[int, ...]]:
        """The crowds that are no part of another: none needs more than one of these."""
        by_size = sorted({tuple(sorted(crowd)) for crowd in self.members}, key=lambda crowd: (-len(crowd), crowd))
        kept: list[tuple[int, ...]] = []
        for crowd in by_size:
            if not any(set(crowd) <= set(other) for other in kept):
                kept.append(crowd)
        return kept

    def need_bytes(self, crowd: Collection[int]) -> int:
        """What some buffers of one moment take at least, from their lowest byte to their highest.

        Each byte with k buffers over it saves k - 1 of them. At least k - 1 of these share it with one that was there
        before, so that what each can save in this way, but no more than its size, is no less than what all save.
        """
        total = sum(map(self.sizes_bytes.__getitem__, crowd)) - max(map(self.pads_bytes.__getitem__, crowd))
        for index in crowd:
            if shared := self.shared_bytes[index]:
                total -= min(self.sizes_bytes[index], sum(n for other, n in shared.items() if other in crowd))
        return total
