# SPDX-License-Identifier: Apache-2.0
"""Several models in one arena: what stays from run to run lies below, what lives within a run shares the bytes above.

Where all offsets are multiples of one grain, no layout is a grain lower. What stays is there at every moment of every
run: taking it out of any layout, with what is above moved down by whole grains, leaves a layout of each model alone.
So an arena has at least the grains of all that stays and, beside them, what the hungriest model needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise

from stowage.memory.bound import lower_bound_bytes
from stowage.memory.conflicts import aligned, conflicts_of
from stowage.memory.planner import place
from stowage.memory.problem import Buffer, Problem

Places = tuple[int, ...]
"""The offsets of some buffers, in their order."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """A model as the layout sees it.

    Attributes:
        kept: its states.
        passing: all else, which lives within a run.
        end: the moment at which the caller reads the outputs; at moment 0 it writes the inputs.
    """

    kept: tuple[Buffer, ...]
    passing: Problem
    end: int

    def ports(self) -> Iterator[int]:
        """The numbers of the passing buffers that are inputs or outputs."""
        for number, buffer in enumerate(self.passing.buffers):
            if buffer.first == 0 or buffer.last == self.end:
                yield number


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything in a pool lies; offsets in bytes.

    Attributes:
        kept: for each tenant its states' places.
        passing: for each tenant the places of its other buffers.
        caller: the places of the caller's buffers that stay.
        between: the places of those that are the caller's between runs alone.
        grain_bytes: what the offsets of all that stays are multiples of.
        floor_bytes: the end of what stays, rounded up.
        peak_bytes: the end of the highest.
        bound_bytes: no layout has a lower peak than this.
    """

    kept: tuple[Places, ...]
    passing: tuple[Places, ...]
    caller: Places
    between: Places
    grain_bytes: int
    floor_bytes: int
    peak_bytes: int
    bound_bytes: int


def lay_out(tenants: Sequence[Tenant], caller: Sequence[Buffer], between: Sequence[Buffer], grain_bytes: int) -> Layout:
    """The lowest layout that is found.

    Args:
        tenants: the models.
        caller: buffers of the caller's that no run may touch.
        between: buffers that a run may use up, but that share no byte with any input or output.
        grain_bytes: a power of two that every alignment divides.
    """
    staying = [*chain.from_iterable(tenant.kept for tenant in tenants), *caller]
    places = stacked(staying, 0, grain_bytes)
    floor = aligned(end_of(staying, places), grain_bytes)
    bound, shifted = 0, list[Places]()
    for tenant in tenants:
        alone = place(tenant.passing)
        shifted.append(tuple(floor + offset for offset in alone.offsets_bytes))
        rest = sum(buffer.size_bytes // grain_bytes * grain_bytes for buffer in staying)
        bound = max(bound, rest + alone.bound_bytes, _crowded_bytes(tenant, staying, between))
    above = _above(tenants, _Above(tuple(shifted), floor), floor, between, bound, grain_bytes)
    block = stacked(between, above.start_bytes, grain_bytes)
    counts = [0, *accumulate(len(tenant.kept) for tenant in tenants)]
    return Layout(
        kept=tuple(places[first:last] for first, last in pairwise(counts)),
        passing=above.passing,
        caller=places[counts[-1] :],
        between=block,
        grain_bytes=grain_bytes,
        floor_bytes=floor,
        peak_bytes=max(end_of(staying, places), end_of(between, block), _top(tenants, above.passing)),
        bound_bytes=bound,
    )


def stacked(buffers: Sequence[Buffer], start_bytes: int, grain_bytes: int) -> Places:
    """One buffer upon the other, from an offset that is a multiple of the grain."""
    ends = accumulate((aligned(buffer.size_bytes, grain_bytes) for buffer in buffers), initial=start_bytes)
    return tuple(ends)[:-1]


def end_of(buffers: Sequence[Buffer], places: Places) -> int:
    """The end of the highest of some buffers; 0 where there are none."""
    return max((offset + buffer.size_bytes for buffer, offset in zip(buffers, places, strict=True)), default=0)


def _crowded_bytes(tenant: Tenant, staying: Sequence[Buffer], between: Sequence[Buffer]) -> int:
    """A bound of the arena in which this tenant runs: all that stays is there at each of its moments."""
    all_along = [replace(buffer, first=0, last=tenant.end) for buffer in staying]
    before = [replace(buffer, first=0, last=0) for buffer in between]
    after = [replace(buffer, first=tenant.end, last=tenant.end) for buffer in between]
    named = _renamed([*all_along, *before, *after], tenant)
    crowd = replace(tenant.passing, buffers=(*named, *tenant.passing.buffers))
    return lower_bound_bytes(conflicts_of(crowd))


def _renamed(buffers: Sequence[Buffer], tenant: Tenant) -> tuple[Buffer, ...]:
    """Buffers under names that none of the tenant's has."""
    longest = max((len(buffer.name) for buffer in tenant.passing.buffers), default=0)
    return tuple(replace(buffer, name=f"{number:0{longest + 1}}") for number, buffer in enumerate(buffers))


@dataclass(frozen=True, slots=True)
class _Above:
    """What lies above all that stays: the tenants' buffers, and from an offset on those of the time between runs."""

    passing: tuple[Places, ...]
    start_bytes: int


def _above(
    tenants: Sequence[Tenant], alone: _Above, floor: int, between: Sequence[Buffer], bound: int, grain_bytes: int
) -> _Above:
    """Either each tenant as it lies alone, with the block of the time between in the first gap that will do, or the
    block at the upper end of what the bound allows and the tenants around it."""
    if not between:
        return alone
    block_bytes = end_of(between, stacked(between, 0, grain_bytes))
    low = _Above(alone.passing, _first_gap(tenants, alone.passing, floor, block_bytes, grain_bytes))
    if max(_top(tenants, low.passing), low.start_bytes + block_bytes) <= bound:
        return low
    limit = max(bound, _top(tenants, alone.passing))
    start = max(floor, (limit - block_bytes) // grain_bytes * grain_bytes)
    around = tuple(_around(tenant, floor, start, block_bytes, grain_bytes) for tenant in tenants)
    high = _Above(around, start)
    return min(low, high, key=lambda each: max(_top(tenants, each.passing), each.start_bytes + block_bytes))


def _first_gap(
    tenants: Sequence[Tenant], passing: Sequence[Places], floor: int, block_bytes: int, grain_bytes: int
) -> int:
    """The lowest offset at which a block shares no byte with any tenant's inputs and outputs."""
    taken = sorted(
        (places[number], places[number] + tenant.passing.buffers[number].size_bytes)
        for tenant, places in zip(tenants, passing, strict=True)
        for number in tenant.ports()
    )
    start = floor
    for first, end in taken:
        if first < start + block_bytes and start < end:
            start = aligned(end, grain_bytes)
    return start


def _around(tenant: Tenant, floor: int, start: int, block_bytes: int, grain_bytes: int) -> Places:
    """The places of a tenant's buffers above the floor, with the block's bytes left free before and after a run."""
    given = [Buffer("block", block_bytes, grain_bytes, moment, moment, start) for moment in (0, tenant.end)]
    if floor:
        given.append(Buffer("floor", floor, grain_bytes, 0, tenant.end, 0))
    placement = place(replace(tenant.passing, buffers=(*_renamed(given, tenant), *tenant.passing.buffers)))
    return placement.offsets_bytes[len(given) :]


def _top(tenants: Sequence[Tenant], passing: Sequence[Places]) -> int:
    return max(
        (end_of(tenant.passing.buffers, places) for tenant, places in zip(tenants, passing, strict=True)), default=0
    )
