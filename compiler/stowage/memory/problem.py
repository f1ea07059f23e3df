# SPDX-License-Identifier: Apache-2.0
"""Where things have to lie: buffers with lives, pairs that may share bytes though both live, and pairs that never may.

Time counts steps: moment 0 is before the first step (the caller writes the inputs), step k runs at moment k + 1, and
the moment after the last step is when the caller reads the outputs. A life is a closed interval of moments; two buffers
whose lives meet conflict, unless one is made from the other in place.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Buffer:
    """Bytes that some tensor, view or scratch needs for some time.

    Attributes:
        name: the value (or "<node>.scratch<k>") that the buffer is for.
        size_bytes: its size, at least 1.
        alignment_bytes: a power of two that divides its address.
        first: the moment at which it is first written.
        last: the last moment at which it is read (or written, where nobody reads it).
        fixed_bytes: the offset where it has to lie, or None where the planner chooses.
    """

    name: str
    size_bytes: int
    alignment_bytes: int
    first: int
    last: int
    fixed_bytes: int | None = None

    def meets(self, other: Buffer) -> bool:
        """Whether there is a moment at which both are alive."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True)
class InPlace:
    """`output` is made at the moment at which `input` dies, by a kernel that allows one to lie over the other.

    With `forward`, legal are disjoint places and those where the output starts at least `distance_bytes` below the
    input's start; else those where the output ends at least that far above the input's end.
    """

    output: str
    input: str
    distance_bytes: int
    forward: bool = True


@dataclass(frozen=True, slots=True)
class Problem:
    """Buffers to be placed in one region, with what may overlap and what must not.

    Attributes:
        buffers: what is to be placed.
        in_place: pairs that may share bytes although both live.
        apart: pairs, by name, that must not share a byte although they may never live together; not even in place.
    """

    buffers: tuple[Buffer, ...]
    in_place: tuple[InPlace, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()

    def of(self, buffers: tuple[Buffer, ...]) -> Problem:
        """The problem of some of its buffers alone, which may have changed but for their names."""
        names = {buffer.name for buffer in buffers}
        in_place = tuple(pair for pair in self.in_place if {pair.output, pair.input} <= names)
        return Problem(buffers, in_place, tuple(pair for pair in self.apart if names.issuperset(pair)))
