# SPDX-License-Identifier: Apache-2.0
"""Places found in one go: buffers in some order, each at the lowest offset that suits those already placed.

Those with a given place come before all others.

By size is the strategy of Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference" (2020).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from stowage.memory.conflicts import Conflicts, lowest_outside
from stowage.memory.fixed import fixed_places
from stowage.memory.problem import Buffer

Offsets = tuple[int, ...]
"""For each buffer of the problem, in its order, the first byte's place."""

_Neighbours = tuple[tuple[tuple[int, int, int], ...], ...]
"""For each buffer those that live with it, each with how far below and above that one's place it may not start."""

_ORDERS: tuple[Callable[[Buffer], tuple[int, ...]], ...] = (
    lambda buffer: (-buffer.size_bytes, buffer.first),
    lambda buffer: (buffer.first - buffer.last, -buffer.size_bytes),
    lambda buffer: ((buffer.first - buffer.last - 1) * buffer.size_bytes, buffer.first),
    lambda buffer: (buffer.first, -buffer.size_bytes),
    lambda buffer: (-buffer.last, -buffer.size_bytes),
)
_REPAIRS = 40


def best_greedy(conflicts: Conflicts, enough_bytes: int) -> Offsets:
    """The first placement that is low enough, or the best, of several orders, each repaired for some rounds."""
    neighbours = _neighbours(conflicts)
    trials = (each for order in _ORDERS for each in _repaired(conflicts, neighbours, order))
    best = next(trials)
    for offsets in trials:
        if peak_bytes(conflicts, best) <= enough_bytes:
            break
        best = min(best, offsets, key=lambda each: peak_bytes(conflicts, each))
    return best


def peak_bytes(conflicts: Conflicts, offsets: Offsets) -> int:
    """The end of the highest buffer."""
    ends = (offset + buffer.size_bytes for offset, buffer in zip(offsets, conflicts.buffers, strict=True))
    return max(ends, default=0)


def placed_in_order(conflicts: Conflicts, order: Iterable[int]) -> Offsets:
    """Each buffer, in an order of them all, at the lowest offset that suits those before it."""
    return _placed(conflicts, _neighbours(conflicts), order)


def _neighbours(conflicts: Conflicts) -> _Neighbours:
    clearances = conflicts.clearance_bytes
    return tuple(
        tuple((other, below, clearances[other][index]) for other, below in own.items())
        for index, own in enumerate(clearances)
    )


def _placed(conflicts: Conflicts, neighbours: _Neighbours, order: Iterable[int]) -> Offsets:
    """As `placed_in_order`; spells out `Conflicts.forbidden`, this being the planner's innermost loop."""
    fixed = fixed_places(conflicts)
    places = [fixed.get(index) for index in range(len(neighbours))]
    for index in order:
        if places[index] is None:
            near = neighbours[index]
            forbidden = [(at - below, at + above) for other, below, above in near if (at := places[other]) is not None]
            forbidden.sort()
            places[index] = lowest_outside(forbidden, conflicts.buffers[index].alignment_bytes)
    return tuple(place for place in places if place is not None)


def _repaired(
    conflicts: Conflicts, neighbours: _Neighbours, key: Callable[[Buffer], tuple[int, ...]]
) -> Iterator[Offsets]:
    """The placement of an order, and of those that come of it as each time the highest buffers move to the front.

    It ends where an order comes back: what follows has been there.
    """
    order = sorted(range(len(conflicts.buffers)), key=lambda index: key(conflicts.buffers[index]))
    seen: set[tuple[int, ...]] = set()
    while len(seen) < _REPAIRS and tuple(order) not in seen:
        seen.add(tuple(order))
        offsets = _placed(conflicts, neighbours, order)
        yield offsets
        peak = peak_bytes(conflicts, offsets)
        ends = [offset + buffer.size_bytes for offset, buffer in zip(offsets, conflicts.buffers, strict=True)]
        order = sorted(order, key=lambda index: ends[index] != peak)
