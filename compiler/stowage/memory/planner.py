# SPDX-License-Identifier: Apache-2.0
"""Problem to offsets: greedy first, then, where the bound isn't met, by search in time and by exact search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stowage.memory.bound import lower_bound_bytes
from stowage.memory.conflicts import Conflicts, conflicts_of
from stowage.memory.crowded import crowded_bound_bytes
from stowage.memory.exact import Fit, GaveUp
from stowage.memory.fixed import check_fixed
from stowage.memory.greedy import Offsets, best_greedy, peak_bytes
from stowage.memory.problem import Problem
from stowage.memory.sweep import Sweep

_WORK_LIMIT = 100_000
"""Places that may be tried in all: seconds at most, and the same answer on every machine."""
LONG_WORK_LIMIT = 10_000_000
"""Places that may be tried where somebody waits for the answer: minutes at most."""
_SWEEP_LIMIT = 12_500
"""Places that one search in time may try: it finds its answer soon, or mostly not at all."""

_CROWD_LIMIT = 2_000
"""Places that may be tried for what is alive at one moment."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where buffers lie.

    Attributes:
        offsets_bytes: for each buffer of the problem, in its order.
        peak_bytes: the end of the highest.
        bound_bytes: no placement has a lower peak than this.
        work: the places that were tried.
    """

    offsets_bytes: Offsets
    peak_bytes: int
    bound_bytes: int
    work: int


def place(
    problem: Problem,
    capacity_bytes: int | None = None,
    work_limit: int | None = None,
    watch: Callable[[int], None] = lambda tried: None,
) -> Placement:
    """A legal place for every buffer: the lowest that is found or, with a capacity, the first that fits.

    Args:
        problem: the buffers.
        capacity_bytes: how high the buffers may reach; nothing better is looked for, and longer than without.
        work_limit: how many places the search may try.
        watch: told from time to time how many places were tried for one question.

    Raises:
        InvalidPlan: given places contradict each other.
    """
    conflicts = conflicts_of(problem)
    check_fixed(conflicts)
    bound = lower_bound_bytes(conflicts)
    enough = bound if capacity_bytes is None else capacity_bytes
    offsets = best_greedy(conflicts, enough)
    search = _Search(conflicts, offsets, bound)
    if bound <= enough < search.peak:
        if work_limit is None:
            work_limit = _WORK_LIMIT if capacity_bytes is None else LONG_WORK_LIMIT
        with Fit(conflicts, watch) as fit:
            if capacity_bytes is None:
                search.bound, search.work = crowded_bound_bytes(problem, conflicts, bound, _CROWD_LIMIT)
                search.lower(fit, work_limit)
            else:
                search.ask(fit, capacity_bytes, _SWEEP_LIMIT, work_limit)
    return Placement(search.offsets, search.peak, search.bound, search.work)


class _Search:
    """The lowest placement so far, the bound so far, and the places that were tried."""

    def __init__(self, conflicts: Conflicts, offsets: Offsets, bound: int) -> None:
        self._conflicts = conflicts
        self._sweep = Sweep(conflicts)
        self.offsets, self.bound, self.work = offsets, bound, 0

    @property
    def peak(self) -> int:
        return peak_bytes(self._conflicts, self.offsets)

    def lower(self, fit: Fit, work_limit: int) -> None:
        """Better offsets if there are any, and a bound raised by what is proved not to fit.

        The bound itself is asked for first, since it can most often be met; then each question halves the gap, and at
        last what is found is lowered as far as it goes. A question may take a third of the work that is left, the
        greater part of it in time, whose places are tried faster.
        """
        limit = lowest = self.bound
        while lowest < self.peak and 2 * self.work < work_limit:
            share = -(-(work_limit - self.work) // 12)
            if not self.ask(fit, limit, min(3 * share, _SWEEP_LIMIT), share):
                lowest = limit + 1
            limit = (lowest + self.peak) // 2
        while (
            self.bound < self.peak
            and self.work < work_limit
            and self.ask(fit, self.peak - 1, 0, work_limit - self.work)
        ):
            pass

    def ask(self, fit: Fit, limit: int, sweep_limit: int, exact_limit: int) -> bool:
        """Whether offsets below a limit were found; if it is proved that there are none, that raises the bound."""
        found = self._sweep.within(limit, sweep_limit) if sweep_limit else None
        self.work += self._sweep.work if sweep_limit else 0
        if found is None:
            found = self._searched(fit, limit, exact_limit)
            self.work += fit.work
        self.offsets = self.offsets if found is None else found
        return found is not None

    def _searched(self, fit: Fit, limit: int, work_limit: int) -> Offsets | None:
        try:
            found = fit.within(limit, work_limit)
        except GaveUp:
            return None
        if found is None:
            self.bound = limit + 1
        return found
