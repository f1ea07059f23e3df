# SPDX-License-Identifier: Apache-2.0
"""Problem to offsets: best of several greedy orders, each buffer at the lowest offset that suits those already placed.

Greedy by size is the strategy of Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference" (2020).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from stowage.memory.legality import Pairs, Spot, compatible, pairs_of
from stowage.memory.problem import Buffer, Problem

Order = Callable[[Buffer], tuple[int, ...]]
_ORDERS: tuple[Order, ...] = (
    lambda buffer: (-buffer.size_bytes, buffer.first),
    lambda buffer: (-(buffer.last - buffer.first), -buffer.size_bytes),
    lambda buffer: (buffer.first, -buffer.size_bytes),
    lambda buffer: (-buffer.last, -buffer.size_bytes),
)


def place(problem: Problem) -> tuple[Spot, ...]:
    """A legal place for every buffer, in the problem's order."""
    pairs = pairs_of(problem)
    trials = (_greedy(sorted(problem.buffers, key=order), pairs) for order in _ORDERS)
    best = min(trials, key=peak_bytes)
    by_name = {spot.buffer.name: spot for spot in best}
    return tuple(by_name[buffer.name] for buffer in problem.buffers)


def peak_bytes(spots: list[Spot] | tuple[Spot, ...]) -> int:
    """The end of the highest buffer."""
    return max((spot.end_bytes for spot in spots), default=0)


def _greedy(buffers: list[Buffer], pairs: Pairs) -> list[Spot]:
    placed: list[Spot] = []
    for buffer in buffers:
        rivals = [spot for spot in placed if spot.buffer.meets(buffer)]
        placed.append(next(spot for spot in _candidates(buffer, rivals) if _suits(spot, rivals, pairs)))
    return placed


def _candidates(buffer: Buffer, rivals: list[Spot]) -> Iterator[Spot]:
    """Offsets worth trying, lowest first: the bottom, rivals' edges, and above everything as the one that always suits."""
    edges = {0}
    for rival in rivals:
        edges |= {rival.end_bytes, rival.offset_bytes, max(0, rival.end_bytes - buffer.size_bytes)}
    for edge in sorted({_align(edge, buffer.alignment_bytes) for edge in edges}):
        yield Spot(buffer, edge)


def _align(offset_bytes: int, alignment_bytes: int) -> int:
    return -(-offset_bytes // alignment_bytes) * alignment_bytes


def _suits(spot: Spot, rivals: list[Spot], pairs: Pairs) -> bool:
    return all(compatible(spot, rival, pairs) for rival in rivals)
