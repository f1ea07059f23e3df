# SPDX-License-Identifier: Apache-2.0
"""The third level: every buffer has a region, an offset, a size and a life."""

from __future__ import annotations

from dataclasses import dataclass

from stowage.memory.problem import Buffer
from stowage.memory.share import Share
from stowage.schedule.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Placed:
    """A buffer at its place: `offset_bytes` from the start of the arena in region `region`."""

    buffer: Buffer
    region: str
    offset_bytes: int

    @property
    def end_bytes(self) -> int:
        """The offset of the first byte after the buffer."""
        return self.offset_bytes + self.buffer.size_bytes


@dataclass(frozen=True, slots=True)
class FurtherArena:
    """An arena in a region of its own beside the main one, which follows those before it in offsets and nowhere else.

    Attributes:
        name: what it is called in C: `<model>_arena_<name>`.
        region: the board's region.
        role: for which the board has the region: `arena` or `arena_fast`.
        start_bytes: the offset of its first byte.
        size_bytes: its size.
    """

    name: str
    region: str
    role: str
    start_bytes: int
    size_bytes: int

    @property
    def end_bytes(self) -> int:
        """The offset of the first byte after it."""
        return self.start_bytes + self.size_bytes


@dataclass(frozen=True, slots=True)
class FurtherArenas:
    """The arenas beside the main one.

    Attributes:
        arenas: in the order of their offsets, in which a run takes them.
        cost: of all reads and writes of all arenas, at the board's costs.
        bound: no plan with these arenas costs less.
    """

    arenas: tuple[FurtherArena, ...]
    cost: int
    bound: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything lies.

    Attributes:
        schedule: the steps that the plan is for.
        placed: every buffer at its place.
        arena_bytes: size of the main arena.
        alignment_bytes: alignment of the arena's first byte.
        bound_bytes: no plan for this problem takes less than this, what lies in further arenas left there.
        transfer_channels: how many transfers the board can have in flight, if the schedule has any.
        cache_line_bytes: of the core's data cache, if it has one and there are transfers: what a transfer brings shares
            no line with anything else. Else 0.
        share: the pool whose arena it is, or None where the model has it for itself.
        further: the arenas in other regions, if any are asked for.
    """

    schedule: Schedule
    placed: tuple[Placed, ...]
    arena_bytes: int
    alignment_bytes: int
    bound_bytes: int
    share: Share | None = None
    transfer_channels: int = 0
    cache_line_bytes: int = 0
    further: FurtherArenas | None = None
