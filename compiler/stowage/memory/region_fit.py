# SPDX-License-Identifier: Apache-2.0
"""Whether the buffers that are assigned to a region have places there, each set of them asked about once."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.memory.planner import Placement, place
from stowage.memory.regions import RegionProblem

_WORK_LIMIT = 2_000
"""Places that may be tried for one set of buffers where no greedy order has room."""
_BUFFERS_LIMIT = 3_000
"""Buffers of the sets that may be asked about before somebody has to say so again: a second at most."""


class RegionFit:
    """Placements in the regions of one problem."""

    def __init__(self, problem: RegionProblem) -> None:
        self._problem = problem
        self._known: dict[tuple[int, tuple[int, ...]], Placement] = {}
        self._asked = 0

    @property
    def is_tired(self) -> bool:
        """Whether so much was asked that it has to be woken."""
        return self._asked >= _BUFFERS_LIMIT

    def wake(self) -> None:
        """Lets as much be asked as at first."""
        self._asked = 0

    def fits(self, regions: Sequence[int]) -> bool | None:
        """Whether an assignment fits, where regions are by buffer; None where that was not found out."""
        answer: bool | None = True
        for number, region in enumerate(self._problem.regions):
            members = tuple(index for index, its in enumerate(regions) if its == number)
            placement = self._placement(number, members)
            if placement.bound_bytes > region.capacity_bytes:
                return False
            if placement.peak_bytes > region.capacity_bytes:
                answer = None
        return answer

    def lowest(self, region: int, members: Sequence[int]) -> Placement:
        """The lowest placement found of buffers that fit a region."""
        known, lowest = self._placement(region, tuple(members)), place(self._problem.within(region, members))
        return min(known, lowest, key=lambda each: each.peak_bytes)

    def _placement(self, region: int, members: tuple[int, ...]) -> Placement:
        if (region, members) not in self._known:
            capacity_bytes = self._problem.regions[region].capacity_bytes
            placement = place(self._problem.within(region, members), capacity_bytes, _WORK_LIMIT)
            self._known[region, members] = placement
            self._asked += len(members)
        return self._known[region, members]
