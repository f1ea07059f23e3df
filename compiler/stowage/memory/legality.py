# SPDX-License-Identifier: Apache-2.0
"""When two buffers may lie where they lie: the one rule that planner and bound share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stowage.memory.problem import Buffer, InPlace, Problem


@dataclass(frozen=True, slots=True)
class Spot:
    """A buffer at an offset."""

    buffer: Buffer
    offset_bytes: int

    @property
    def end_bytes(self) -> int:
        """First byte after the buffer."""
        return self.offset_bytes + self.buffer.size_bytes


Pairs = Mapping[tuple[str, str], tuple[InPlace, ...]]


def pairs_of(problem: Problem) -> Pairs:
    """The in-place permissions by (output, input)."""
    pairs: dict[tuple[str, str], tuple[InPlace, ...]] = {}
    for pair in problem.in_place:
        key = (pair.output, pair.input)
        pairs[key] = (*pairs.get(key, ()), pair)
    return pairs


def compatible(a: Spot, b: Spot, pairs: Pairs) -> bool:
    """Whether both buffers keep their bytes when placed so."""
    if not a.buffer.meets(b.buffer) or a.end_bytes <= b.offset_bytes or b.end_bytes <= a.offset_bytes:
        return True
    return _in_place(a, b, pairs) or _in_place(b, a, pairs)


def _in_place(output: Spot, source: Spot, pairs: Pairs) -> bool:
    return any(allows(pair, output, source) for pair in pairs.get((output.buffer.name, source.buffer.name), ()))


def allows(pair: InPlace, output: Spot, source: Spot) -> bool:
    """Whether an overlap of these two places is one that the kernel survives."""
    if pair.forward:
        return output.offset_bytes + pair.distance_bytes <= source.offset_bytes
    return output.end_bytes >= source.end_bytes + pair.distance_bytes
