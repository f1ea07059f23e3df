# SPDX-License-Identifier: Apache-2.0
"""Which region a constant lies in, where the board's preferred region for weights does not hold all of a model's.

Whole constants go to the regions of the role such that reading them costs least (`region_search`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from stowage.codegen.program import DataPointer, Program
from stowage.memory.conflicts import aligned
from stowage.memory.problem import Buffer, Problem
from stowage.memory.region_search import assign
from stowage.memory.regions import MemoryRegion, RegionProblem, Traffic
from stowage.memory.traffic import traffic_of
from stowage.schedule.schedule import Schedule
from stowage.target.target import TargetRegion

_ALIGNMENT_BYTES = 8
"""Of every constant, by STW_WEIGHTS."""


def spread_weights(program: Program, schedule: Schedule, regions: Sequence[TargetRegion]) -> Program:
    """The program with a region for each constant, or as it is where the first of the role's regions holds all.

    Raises:
        DoesNotFit: the regions hold them all together, but no way was found to share them out.
    """
    sizes = [aligned(max(1, int(program.constants[datum.digest].nbytes)), _ALIGNMENT_BYTES) for datum in program.data]
    if sum(sizes) <= regions[0].capacity_bytes or len(regions) == 1:
        return program
    reads = _read_bytes(program, schedule)
    buffers = (
        Buffer(datum.symbol, size, _ALIGNMENT_BYTES, 0, 0) for datum, size in zip(program.data, sizes, strict=True)
    )
    problem = RegionProblem(
        Problem(tuple(buffers)),
        tuple(MemoryRegion(each.name, each.capacity_bytes, 1, each.read_cost, each.write_cost) for each in regions),
        tuple(Traffic(reads[datum.symbol], 0) for datum in program.data),
        (frozenset(range(len(regions))),) * len(sizes),
    )
    names = [None if number == 0 else regions[number].name for number in assign(problem).regions]
    data = (replace(datum, region=name) for datum, name in zip(program.data, names, strict=True))
    return replace(program, data=tuple(data))


def _read_bytes(program: Program, schedule: Schedule) -> dict[str, int]:
    """How many bytes of each constant a run reads."""
    reads: dict[str, int] = defaultdict(int)
    for call, step in zip(program.calls, schedule.steps, strict=True):
        for pointer, argument in zip(call.pointers, step.call.arguments, strict=True):
            if isinstance(pointer, DataPointer):
                reads[pointer.symbol] += traffic_of(step, argument).read_bytes
    return reads
