# SPDX-License-Identifier: Apache-2.0
"""RegionProblem to regions and offsets: the assignment that costs least, by branch and bound over the relaxation.

Buffers are assigned one after the other, that first for which most is at stake; a branch is cut off where a moment is
overfull, or where the relaxation tells that it costs no less than the best so far. Whether what is assigned to a region
fits there is for the planner to say (`region_fit.py`). Where nothing is found, it is looked for in regions made
smaller, whose assignments are easier to place. All limits count, so that every machine finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stowage.errors import DoesNotFit
from stowage.memory.region_fit import RegionFit
from stowage.memory.region_relaxation import Relaxation, relaxed
from stowage.memory.regions import RegionProblem

_BRANCH_LIMIT = 20_000
"""Branches that may be looked at in regions of one size: about a second."""
_PARTS = (16, 15, 14, 12, 8, 4)
"""Sixteenths of what regions have that may be used, tried until an assignment is found."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Where buffers lie.

    Attributes:
        regions: of each buffer of the problem, in its order, the number of its region.
        offsets_bytes: where in its region each lies.
        peaks_bytes: for each region the end of the highest buffer in it, or 0.
        bounds_bytes: for each region, no placement of what lies in it has a lower peak.
        cost: of all reads and writes.
        bound: no assignment costs less.
        work: the branches looked at.
    """

    regions: tuple[int, ...]
    offsets_bytes: tuple[int, ...]
    peaks_bytes: tuple[int, ...]
    bounds_bytes: tuple[int, ...]
    cost: int
    bound: int
    work: int


def assign(problem: RegionProblem, branch_limit: int = _BRANCH_LIMIT) -> Assignment:
    """The cheapest assignment that is found, with offsets; it is the cheapest of all where its cost is its bound.

    Raises:
        DoesNotFit: none was found. The reason says whether it is proved that there is none.
        InvalidPlan: given offsets contradict each other.
    """
    buffers = range(len(problem.traffic))
    homeless = next((index for index in buffers if not problem.choices(index)), None)
    if homeless is not None:
        raise _no_room(problem, homeless)
    dearest = sum(max(problem.choices(index).values()) for index in buffers)
    search = _Search(problem, relaxed(problem, dearest))
    for part in _PARTS:
        if search.best is None and not search.is_impossible:
            search.run(part, branch_limit)
    if search.best is None:
        raise _nothing_found(problem, search.is_impossible)
    return _assignment(problem, search, search.best)


def _assignment(problem: RegionProblem, search: _Search, regions: tuple[int, ...]) -> Assignment:
    offsets, peaks, bounds = [0] * len(regions), [], []
    for number in range(len(problem.regions)):
        members = [index for index, region in enumerate(regions) if region == number]
        placement = search.fit.lowest(number, members)
        peaks.append(placement.peak_bytes)
        bounds.append(placement.bound_bytes)
        for index, offset in zip(members, placement.offsets_bytes, strict=True):
            offsets[index] = offset
    return Assignment(regions, tuple(offsets), tuple(peaks), tuple(bounds), search.cost, search.bound, search.work)


def _no_room(problem: RegionProblem, index: int) -> DoesNotFit:
    buffer = problem.problem.buffers[index]
    names = ", ".join(problem.regions[number].name for number in sorted(problem.allowed[index]))
    return DoesNotFit(
        where=f'buffer "{buffer.name}"',
        reason=f"its {buffer.size_bytes:,} B are more than any region has in which it may lie ({names})",
        remedy="let it lie in a larger one, or make it smaller",
    )


def _nothing_found(problem: RegionProblem, is_impossible: bool) -> DoesNotFit:
    room = ", ".join(f"{region.name} ({region.capacity_bytes:,} B)" for region in problem.regions)
    return DoesNotFit(
        where=f"regions {room}",
        reason=f"no place for all {len(problem.traffic):,} buffers was found, and it is "
        f"{'proved' if is_impossible else 'not proved'} that there is none",
        remedy="make a region larger, or buffers smaller",
    )


@dataclass(frozen=True, slots=True)
class _Branch:
    """The regions of the first buffers, in the order of the search, and the least price of all with these."""

    regions: tuple[int, ...]
    price: int


class _Search:
    """The best assignment so far, and what is known of all others."""

    def __init__(self, problem: RegionProblem, relaxation: Relaxation) -> None:
        self._relaxation = relaxation
        self._costs = [problem.choices(index) for index in range(len(problem.traffic))]
        self._order = sorted(range(len(self._costs)), key=self._stake)
        self._least = [min(prices.values()) for prices in relaxation.prices]
        self._limits = relaxation.demands.limits_bytes
        self.fit = RegionFit(problem)
        self.best: tuple[int, ...] | None = None
        self.cost, self.bound, self.work = 0, relaxation.bound, 0
        self.is_impossible = False

    def _stake(self, index: int) -> tuple[int, int]:
        """What is at stake, most first: how much dearer the worst place of a buffer is than its best."""
        costs = self._costs[index].values()
        return min(costs) - max(costs), index

    def run(self, part: int, branch_limit: int) -> None:
        """Looks for better assignments that use so many sixteenths of the regions, until there are none or a limit is
        reached. What is learnt of all assignments is kept where all of the regions was used."""
        self._limits = tuple(limit * part // 16 for limit in self._relaxation.demands.limits_bytes)
        unknown = self._explored(branch_limit)
        if part == _PARTS[0]:
            known = [*unknown] if self.best is None else [*unknown, self.cost]
            self.is_impossible = not known
            self.bound = max(self.bound, min(known, default=self.bound))

    def _explored(self, branch_limit: int) -> list[int]:
        """Looks for better assignments; returns bounds of the costs of what was not looked at."""
        self.fit.wake()
        stack, unknown, last = [_Branch((), sum(self._least))], list[int](), self.work + branch_limit
        while stack:
            branch = stack.pop()
            bound = self._relaxation.bound_of(branch.price)
            if self._is_worse(bound):
                continue
            if self.work >= last or self.fit.is_tired:
                unknown.append(bound)
                continue
            self.work += 1
            if len(branch.regions) == len(self._order):
                unknown += self._leaf(branch.regions)
            else:
                stack += self._following(branch)
        return unknown

    def _is_worse(self, cost: int) -> bool:
        return self.best is not None and cost >= self.cost

    def _following(self, branch: _Branch) -> Iterator[_Branch]:
        """Branches with one buffer more, the most promising last."""
        index = self._order[len(branch.regions)]
        prices = self._relaxation.prices[index]
        ranked = sorted(prices, key=lambda region: (prices[region], self._costs[index][region], region))
        for region in reversed(ranked):
            if self._has_room(branch.regions, index, region):
                yield _Branch((*branch.regions, region), branch.price - self._least[index] + prices[region])

    def _has_room(self, regions: Sequence[int], index: int, region: int) -> bool:
        """Whether at each moment a region still holds what is assigned to it, with one buffer more."""
        crowds = self._relaxation.demands.crowds
        there = {each for each, its in zip(self._order, regions, strict=False) if its == region} | {index}
        return all(
            sum(own_bytes for each, own_bytes in crowds[k].items() if each in there) <= self._limits[region]
            for k in self._relaxation.demands.of_buffer[index]
        )

    def _leaf(self, in_order: Sequence[int]) -> Iterator[int]:
        """Takes an assignment if it is better and fits. Yields its cost where it is unknown whether it fits."""
        regions = tuple(region for _, region in sorted(zip(self._order, in_order, strict=True)))
        cost = sum(costs[region] for costs, region in zip(self._costs, regions, strict=True))
        fits = None if self._is_worse(cost) else self.fit.fits(regions)
        if fits:
            self.best, self.cost = regions, cost
        elif fits is None:
            yield cost
