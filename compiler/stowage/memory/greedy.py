# SPDX-License-Identifier: Apache-2.0
"""Places found in one go: buffers in some order, each at the lowest offset that suits those already placed.

Those with a given place come before all others.

By size is the strategy of Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference" (2020).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from stowage.memory.conflicts import Conflicts, lowest_outside
from stowage.memory.fixed import fixed_places
from stowage.memory.problem import Buffer

Offsets = tuple[int, ...]
"""For each buffer of the problem, in its order, the first byte's place."""

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
    trials = (each for order in _ORDERS for each in _repaired(conflicts, order))
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
    placed = fixed_places(conflicts)
    for index in order:
        if index not in placed:
            placed[index] = _lowest(conflicts, index, placed)
    return tuple(placed[index] for index in range(len(placed)))


def _repaired(conflicts: Conflicts, key: Callable[[Buffer], tuple[int, ...]]) -> Iterator[Offsets]:
    """The placement of an order, and of those that come of it as each time the highest buffers move to the front.

    It ends where an order comes back: what follows has been there.
    """
    order = sorted(range(len(conflicts.buffers)), key=lambda index: key(conflicts.buffers[index]))
    seen: set[tuple[int, ...]] = set()
    while len(seen) < _REPAIRS and tuple(order) not in seen:
        seen.add(tuple(order))
        offsets = placed_in_order(conflicts, order)
        yield offsets
        peak = peak_bytes(conflicts, offsets)
        ends = [offset + buffer.size_bytes for offset, buffer in zip(offsets, conflicts.buffers, strict=True)]
        order = sorted(order, key=lambda index: ends[index] != peak)


def _lowest(conflicts: Conflicts, index: int, placed: Mapping[int, int]) -> int:
    """The lowest offset that the others leave."""
    others = conflicts.clearance_bytes[index].keys() & placed.keys()
    forbidden = sorted(conflicts.forbidden(index, other, placed[other]) for other in others)
    return lowest_outside(forbidden, conflicts.buffers[index].alignment_bytes)
