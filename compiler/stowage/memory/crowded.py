# SPDX-License-Identifier: Apache-2.0
"""A bound that is nearer: what the buffers of one moment need where they have to lie somewhere, and not only beside
each other by size.

What of them may overlap in a chain, each over the next, may not leave room for the chain of another; that is seen by
placing them alone. So few are placed, or proved not to fit, at once.
"""

from __future__ import annotations

from stowage.memory.bound import Crowds
from stowage.memory.conflicts import Conflicts, conflicts_of
from stowage.memory.exact import Fit, GaveUp
from stowage.memory.greedy import best_greedy, peak_bytes
from stowage.memory.problem import Problem


def crowded_bound_bytes(problem: Problem, conflicts: Conflicts, bound_bytes: int, work_limit: int) -> tuple[int, int]:
    """The lower bound of a problem, raised where one moment alone proves it, and the places that were tried.

    Args:
        problem: the buffers.
        conflicts: theirs.
        bound_bytes: what is known.
        work_limit: how many places may be tried for one moment.
    """
    work = 0
    for crowd in Crowds.of(conflicts, 1).largest():
        if sum(problem.buffers[index].size_bytes for index in crowd) > bound_bytes:
            part = conflicts_of(problem.of(tuple(problem.buffers[index] for index in sorted(crowd))))
            least_bytes, tried = _least_bytes(part, bound_bytes, work_limit)
            bound_bytes, work = max(bound_bytes, least_bytes), work + tried
    return bound_bytes, work


def _least_bytes(conflicts: Conflicts, bound_bytes: int, work_limit: int) -> tuple[int, int]:
    """The lowest peak if it is proved and above a bound, else the bound; and the places that were tried."""
    peak, work = peak_bytes(conflicts, best_greedy(conflicts, bound_bytes)), 0
    with Fit(conflicts) as fit:
        while peak > bound_bytes:
            try:
                offsets = fit.within(peak - 1, work_limit - work)
            except GaveUp:
                return bound_bytes, work + fit.work
            work += fit.work
            if offsets is None:
                return peak, work
            peak = peak_bytes(conflicts, offsets)
    return bound_bytes, work
