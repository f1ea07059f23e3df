# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a placement, found pair by pair: legality said a second time, apart from what places buffers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from stowage.memory.problem import Buffer, Problem


def faults(problem: Problem, offsets_bytes: Sequence[int]) -> Iterator[str]:
    """A sentence for each buffer, and each pair of them, that doesn't lie as it should."""
    places = {buffer.name: offset for buffer, offset in zip(problem.buffers, offsets_bytes, strict=True)}
    for buffer in problem.buffers:
        place = places[buffer.name]
        if place < 0 or place % buffer.alignment_bytes:
            yield f'buffer "{buffer.name}" lies at {place}, which is no multiple of {buffer.alignment_bytes}'
        if buffer.fixed_bytes not in (None, place):
            yield f'buffer "{buffer.name}" lies at {place} instead of {buffer.fixed_bytes}'
    apart = {frozenset(pair) for pair in problem.apart}
    for a, b in combinations(problem.buffers, 2):
        if not _share_bytes(a, b, places):
            continue
        if frozenset((a.name, b.name)) in apart or (_together(a, b) and not _in_place(problem, places, a, b)):
            yield f'buffers "{a.name}" and "{b.name}" share bytes at {places[a.name]} and {places[b.name]}'


def _share_bytes(a: Buffer, b: Buffer, places: Mapping[str, int]) -> bool:
    """Whether two buffers hold one byte, be it at different moments."""
    ends = places[a.name] + a.size_bytes, places[b.name] + b.size_bytes
    return max(places[a.name], places[b.name]) < min(ends)


def _together(a: Buffer, b: Buffer) -> bool:
    """Whether there is a moment at which both live."""
    return max(a.first, b.first) <= min(a.last, b.last)


def _in_place(problem: Problem, places: Mapping[str, int], a: Buffer, b: Buffer) -> bool:
    """Whether one is made from the other by a kernel that lets them lie so."""
    sizes = {buffer.name: buffer.size_bytes for buffer in (a, b)}
    for pair in problem.in_place:
        if {pair.output, pair.input} == {a.name, b.name}:
            output, source = places[pair.output], places[pair.input]
            ends = output + sizes[pair.output], source + sizes[pair.input]
            if source - output >= pair.distance_bytes if pair.forward else ends[0] - ends[1] >= pair.distance_bytes:
                return True
    return False
