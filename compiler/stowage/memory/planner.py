# SPDX-License-Identifier: Apache-2.0
"""Problem to offsets: greedy first, then, where the bound isn't met, by search in time and by exact search."""

from __future__ import annotations

from dataclasses import dataclass

from stowage.memory.bound import lower_bound_bytes
from stowage.memory.conflicts import Conflicts, conflicts_of
from stowage.memory.exact import Fit, GaveUp
from stowage.memory.fixed import check_fixed
from stowage.memory.greedy import Offsets, best_greedy, peak_bytes
from stowage.memory.problem import Problem
from stowage.memory.sweep import Sweep

_WORK_LIMIT = 50_000
"""Places that the search may try in all: seconds at most, and the same answer on every machine."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where buffers lie.

    Attributes:
        offsets_bytes: for each buffer of the problem, in its order.
        peak_bytes: the end of the highest.
        bound_bytes: no placement has a lower peak than this.
    """

    offsets_bytes: Offsets
    peak_bytes: int
    bound_bytes: int


def place(problem: Problem, work_limit: int = _WORK_LIMIT) -> Placement:
    """A legal place for every buffer, the lowest that is found.

    Args:
        problem: the buffers.
        work_limit: how many places the search may try.

    Raises:
        InvalidPlan: given places contradict each other.
    """
    conflicts = conflicts_of(problem)
    check_fixed(conflicts)
    bound = lower_bound_bytes(conflicts)
    offsets = best_greedy(conflicts, bound)
    if peak_bytes(conflicts, offsets) > bound:
        offsets, bound = _improved(conflicts, offsets, bound, work_limit)
    return Placement(offsets, peak_bytes(conflicts, offsets), bound)


def _improved(conflicts: Conflicts, offsets: Offsets, bound: int, work: int) -> tuple[Offsets, int]:
    """Better offsets if there are any, and a bound raised by what was proved not to fit.

    The bound itself is asked for first, since it can most often be met; then each question halves the gap. A question
    may take a third of the work that is left, the greater part of it in time, whose places are tried faster.
    """
    sweep, fit = Sweep(conflicts), Fit(conflicts)
    limit = lowest = bound
    while lowest < (peak := peak_bytes(conflicts, offsets)) and work > 0:
        share = -(-work // 12)
        found = sweep.within(limit, 3 * share)
        work -= sweep.work
        if found is None:
            found, proved = _searched(fit, limit, share)
            work -= fit.work
            bound = limit + 1 if proved else bound
        if found is None:
            lowest = limit + 1
        else:
            offsets, peak = found, peak_bytes(conflicts, found)
        limit = (lowest + peak) // 2
    return offsets, bound


def _searched(fit: Fit, limit: int, work: int) -> tuple[Offsets | None, bool]:
    """Offsets below a limit, and whether it is proved that there are none."""
    try:
        found = fit.within(limit, work)
    except GaveUp:
        return None, False
    return found, found is None
