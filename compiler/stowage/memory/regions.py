# SPDX-License-Identifier: Apache-2.0
"""Several memories for buffers: what each holds and costs, how often buffers are touched, where they may lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stowage.memory.problem import Buffer, Problem


@dataclass(frozen=True, slots=True)
class MemoryRegion:
    """A memory as the planner sees it.

    Attributes:
        name: unique among the regions of a problem.
        capacity_bytes: how many bytes may be used.
        alignment_bytes: a power of two that divides the offset of every buffer in it.
        read_cost: of reading a byte, relative to the other regions.
        write_cost: of writing a byte, likewise.
    """

    name: str
    capacity_bytes: int
    alignment_bytes: int = 1
    read_cost: int = 1
    write_cost: int = 1


@dataclass(frozen=True, slots=True)
class Traffic:
    """The bytes of a buffer that are read and written while it lives, each counted as often as that happens."""

    read_bytes: int
    written_bytes: int

    def cost_in(self, region: MemoryRegion) -> int:
        """What it costs where the buffer lies there."""
        return self.read_bytes * region.read_cost + self.written_bytes * region.write_cost


@dataclass(frozen=True, slots=True)
class RegionProblem:
    """Buffers to be placed in one of several regions each.

    Attributes:
        problem: the buffers; what may overlap does so only within one region. A given offset is that in the only
            region that is allowed.
        regions: the memories; of those that cost the same an earlier one is preferred.
        traffic: of each buffer, in the problem's order.
        allowed: for each buffer the numbers of the regions in which it may lie.
    """

    problem: Problem
    regions: tuple[MemoryRegion, ...]
    traffic: tuple[Traffic, ...]
    allowed: tuple[frozenset[int], ...]

    def choices(self, buffer: int) -> dict[int, int]:
        """By the number of each region in which a buffer may lie and has room, what it costs there."""
        size_bytes = self.problem.buffers[buffer].size_bytes
        numbers = (number for number in sorted(self.allowed[buffer]) if self._capacity(number) >= size_bytes)
        return {number: self.traffic[buffer].cost_in(self.regions[number]) for number in numbers}

    def within(self, region: int, buffers: Sequence[int]) -> Problem:
        """The problem of what lies in one region."""
        alignment_bytes = self.regions[region].alignment_bytes
        return self.problem.of(tuple(_aligned(self.problem.buffers[index], alignment_bytes) for index in buffers))

    def _capacity(self, region: int) -> int:
        return self.regions[region].capacity_bytes


def _aligned(buffer: Buffer, alignment_bytes: int) -> Buffer:
    return replace(buffer, alignment_bytes=max(buffer.alignment_bytes, alignment_bytes))
