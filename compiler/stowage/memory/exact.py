# SPDX-License-Identifier: Apache-2.0
"""Whether some buffers fit below a limit: a search that misses no placement, up to a limit of work.

In a placement where nothing can be moved down, buffers taken by rising offset each lie at the lowest place that those
below allow. So the search builds placements from below: the next buffer of a *group* goes to the lowest place that is
left to it. Buffers with given places are there from the start. A group whose members no longer meet in time falls
apart, and each part is solved by itself. It gives up where the buffers of one moment can't all fit above the places
that are left, and where the next buffer would leave a hole below it that another one fits in, for then the same
placement with that one moved down is as good.

The family of searches is that of Moffitt's MiniMalloc (ASPLOS 2023) and, long before it, of the active schedules of
Giffler and Thompson (1960).
"""

from __future__ import annotations

from collections.abc import Iterator

from stowage.memory.bound import Crowds
from stowage.memory.conflicts import Conflicts, aligned, lowest_outside
from stowage.memory.fixed import fixed_places, forbidden_by_fixed
from stowage.memory.greedy import Offsets

_PLACED = 1 << 62
"""Stands in the table of lowest places for "it has its place already"."""


class GaveUp(Exception):
    """The limit of work was reached before there was an answer."""


class Fit:
    """The question whether the buffers of a problem fit; `work` counts the places that were tried."""

    def __init__(self, conflicts: Conflicts) -> None:
        buffers = conflicts.buffers
        grain_bytes = min((buffer.alignment_bytes for buffer in buffers), default=1)
        self._sizes = [buffer.size_bytes for buffer in buffers]
        self._alignments = [buffer.alignment_bytes for buffer in buffers]
        self._rivals = [sum(1 << j for j in each) for each in conflicts.clearance_bytes]
        self._clearances = [
            {j: aligned(clearance, grain_bytes) for j, clearance in each.items()} for each in conflicts.clearance_bytes
        ]
        self._crowds = Crowds.of(conflicts, grain_bytes)
        crowds = self._crowds.largest()
        self._crowds_with = [[crowd for crowd in crowds if index in crowd] for index in range(len(buffers))]
        self._fixed, self._forbidden = fixed_places(conflicts), forbidden_by_fixed(conflicts)
        self._limit = self._work_limit = self.work = 0

    @property
    def complete(self) -> bool:
        """Whether "no" is a proof: not where a clearance is negative, since then low places may forbid better ones."""
        return all(clearance >= 0 for each in self._clearances for clearance in each.values())

    def within(self, limit_bytes: int, work_limit: int) -> Offsets | None:
        """Offsets with which every buffer ends at or below a limit, or None where there are none.

        Raises:
            GaveUp: more than `work_limit` places were tried.
        """
        self._limit, self._work_limit, self.work = limit_bytes, work_limit, 0
        if any(offset + self._sizes[index] > limit_bytes for index, offset in self._fixed.items()):
            return None
        numbers = range(len(self._sizes))
        lows = [_PLACED if index in self._fixed else self._lowest(index, 0) for index in numbers]
        free = sum(1 << index for index in numbers if index not in self._fixed)
        found = self._solve(free, lows, 0)
        return None if found is None else tuple((found | self._fixed)[index] for index in numbers)

    def _lowest(self, index: int, offset: int) -> int:
        """The lowest place from an offset on that buffers with given places leave."""
        alignment = self._alignments[index]
        return lowest_outside(self._forbidden[index], alignment, aligned(offset, alignment))

    def _solve(self, free: int, lows: list[int], floor: int) -> dict[int, int] | None:
        """Places for all of `free`, none below `floor`; `lows` are the lowest that are left to each."""
        places: dict[int, int] = {}
        for group in sorted(self._groups(free), key=int.bit_count):
            found = self._solve_group(group, lows, floor)
            if found is None:
                return None
            places |= found
        return places

    def _groups(self, free: int) -> Iterator[int]:
        """The parts of a set that don't meet in time."""
        while free:
            group, fringe = 0, free & -free
            while fringe:
                group |= fringe
                reached = 0
                for index in members(fringe):
                    reached |= self._rivals[index]
                fringe = reached & free & ~group
            yield group
            free &= ~group

    def _solve_group(self, group: int, lows: list[int], floor: int) -> dict[int, int] | None:
        for index in self._candidates(group, lows, floor):
            self.work += 1
            if self.work > self._work_limit:
                raise GaveUp
            rest = group & ~(1 << index)
            raised = self._raised(index, lows[index], rest, lows)
            found = None if raised is None else self._solve(rest, raised, lows[index])
            if found is not None:
                found[index] = lows[index]
                return found
        return None

    def _candidates(self, group: int, lows: list[int], floor: int) -> list[int]:
        """Which buffers may be the lowest of a group, the most promising first."""
        numbers = list(members(group))
        ceiling = min(lows[index] + self._sizes[index] for index in numbers)
        able = [index for index in numbers if floor <= lows[index] < ceiling]
        return sorted(able, key=lambda index: (lows[index], -self._sizes[index]))

    def _raised(self, index: int, offset: int, rest: int, lows: list[int]) -> list[int] | None:
        """The lowest places with one buffer more placed; None where the others can't fit any more."""
        raised = lows.copy()
        raised[index] = _PLACED
        for other in members(self._rivals[index] & rest):
            above = self._lowest(other, offset + self._clearances[index][other])
            if above > raised[other]:
                if above + self._sizes[other] > self._limit:
                    return None
                raised[other] = above
        return raised if all(self._hopeful(crowd, raised, offset) for crowd in self._crowds_with[index]) else None

    def _hopeful(self, crowd: tuple[int, ...], lows: list[int], floor: int) -> bool:
        """Whether what is unplaced of a crowd has room between the lowest place left and the limit."""
        lowest = min(map(lows.__getitem__, crowd))
        if lowest == _PLACED:
            return True
        present = [index for index in crowd if lows[index] != _PLACED]
        return max(lowest, floor) + self._crowds.need_bytes(present) <= self._limit


def members(numbers: int) -> Iterator[int]:
    """The members of a set that is kept as the bits of an integer, lowest first."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest
