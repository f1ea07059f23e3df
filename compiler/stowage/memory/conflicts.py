# SPDX-License-Identifier: Apache-2.0
"""Which buffers are in each other's way, and by how much: the one rule of legality that planner and bound share.

Two buffers that live at one moment are legal where one of them lies above the other by that one's *clearance*: its
size, or less where it may be overlapped. The output of a forward kernel needs only the safe distance below its input;
the input of a backward one only as much below the output as leaves the output's end the safe distance above its own.
Two that have to lie apart are in each other's way as if they lived at one moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stowage.memory.problem import Buffer, InPlace, Problem

Interval = tuple[int, int]
"""Numbers above the first and below the second; there may be none."""


@dataclass(frozen=True, slots=True)
class Conflicts:
    """A problem as a graph whose vertices are its buffers, by number.

    Attributes:
        buffers: the problem's.
        clearance_bytes: for each buffer its rivals, which live at one of its moments or have to lie apart from it,
            each with the least difference by which that one's offset is above this one's, if it is above.
    """

    buffers: tuple[Buffer, ...]
    clearance_bytes: tuple[Mapping[int, int], ...]

    def shared_bytes(self, a: int, b: int, grain_bytes: int = 1) -> int:
        """The most bytes that two rivals may have in common, both rounded up to whole grains."""
        return max(self._shared(a, b, grain_bytes), self._shared(b, a, grain_bytes))

    def may_overlap(self, a: int, b: int) -> bool:
        """Whether two rivals may have any byte in common."""
        clearances, buffers = self.clearance_bytes, self.buffers
        return clearances[a][b] < buffers[a].size_bytes or clearances[b][a] < buffers[b].size_bytes

    def forbidden(self, index: int, other: int, place: int) -> Interval:
        """Where a buffer may not start while a rival has its place."""
        return place - self.clearance_bytes[index][other], place + self.clearance_bytes[other][index]

    def legal(self, index: int, offset: int, other: int, place: int) -> bool:
        """Whether two rivals may lie so."""
        low, high = self.forbidden(index, other, place)
        return not low < offset < high

    def _shared(self, below: int, above: int, grain_bytes: int) -> int:
        clearance = max(0, aligned(self.clearance_bytes[below][above], grain_bytes))
        below_bytes = aligned(self.buffers[below].size_bytes, grain_bytes)
        return max(0, min(below_bytes - clearance, aligned(self.buffers[above].size_bytes, grain_bytes)))


def conflicts_of(problem: Problem) -> Conflicts:
    """The conflicts of a problem; time grows with their number."""
    buffers = problem.buffers
    clearances: list[dict[int, int]] = [{} for _ in buffers]
    alive: list[int] = []
    for index in sorted(range(len(buffers)), key=lambda each: buffers[each].first):
        alive = [other for other in alive if buffers[other].last >= buffers[index].first]
        for other in alive:
            clearances[index][other] = buffers[index].size_bytes
            clearances[other][index] = buffers[other].size_bytes
        alive.append(index)
    numbers = {buffer.name: index for index, buffer in enumerate(buffers)}
    for pair in problem.in_place:
        _allow(clearances, buffers, numbers[pair.output], numbers[pair.input], pair)
    for a, b in ((numbers[a], numbers[b]) for a, b in problem.apart):
        clearances[a][b], clearances[b][a] = buffers[a].size_bytes, buffers[b].size_bytes
    return Conflicts(buffers, tuple(clearances))


def aligned(bytes_: int, alignment_bytes: int) -> int:
    """The first multiple of the alignment that is not below a number of bytes."""
    return -(-bytes_ // alignment_bytes) * alignment_bytes


def lowest_outside(forbidden: Iterable[Interval], alignment_bytes: int, offset: int = 0) -> int:
    """The lowest multiple of an alignment from an offset (itself one) on that is in none of some sorted intervals."""
    for low, high in forbidden:
        if low >= offset:
            break
        if high > offset:
            offset = aligned(high, alignment_bytes)
    return offset


def _allow(
    clearances: list[dict[int, int]], buffers: tuple[Buffer, ...], output: int, source: int, pair: InPlace
) -> None:
    """Lowers the clearance that a pair may undercut; nothing to do where the two never live together."""
    if source not in clearances[output]:
        return
    if pair.forward:
        clearances[output][source] = min(clearances[output][source], pair.distance_bytes)
    else:
        distance = buffers[source].size_bytes + pair.distance_bytes - buffers[output].size_bytes
        clearances[source][output] = min(clearances[source][output], distance)
