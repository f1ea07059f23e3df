# SPDX-License-Identifier: Apache-2.0
"""What is wrong with buffers in several regions: said from the problem alone, apart from what places them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stowage.memory.faults import faults
from stowage.memory.problem import Problem
from stowage.memory.regions import RegionProblem


def region_faults(problem: RegionProblem, regions: Sequence[int], offsets_bytes: Sequence[int]) -> Iterator[str]:
    """A sentence for each buffer, and each pair of them, that doesn't lie as it should."""
    for number, region in enumerate(problem.regions):
        inside = [
            each for each in zip(problem.problem.buffers, regions, offsets_bytes, strict=True) if each[1] == number
        ]
        places = {buffer.name: offset for buffer, _, offset in inside}
        whole = problem.problem
        pairs = tuple(pair for pair in whole.in_place if pair.output in places and pair.input in places)
        apart = tuple((a, b) for a, b in whole.apart if a in places and b in places)
        buffers = tuple(buffer for buffer, _, _ in inside)
        for fault in faults(Problem(buffers, pairs, apart), list(places.values())):
            yield f"region {region.name}: {fault}"
        for buffer, _, offset in inside:
            if offset + buffer.size_bytes > region.capacity_bytes:
                yield f'region {region.name}: buffer "{buffer.name}" ends beyond its {region.capacity_bytes:,} B'
            if offset % region.alignment_bytes:
                yield f'region {region.name}: buffer "{buffer.name}" is at {offset}, no multiple of the region\'s grain'
    for buffer, region_number, allowed in zip(problem.problem.buffers, regions, problem.allowed, strict=True):
        if region_number not in allowed:
            yield f'buffer "{buffer.name}" lies in a region where it may not'
