# SPDX-License-Identifier: Apache-2.0
"""Which weights are brought into the arena by DMA while earlier steps run, and from when on.

Weights are worth it if the run is shorter with them by the board's cost model. Of the moments from which a copy keeps
its step waiting least the latest is taken, since its bytes in the arena are nobody else's until the step is done: most
often that is the step before (double buffering), or a few more where that one is short. The weights that are read most
come first.

Steps that read the same bytes, as the stripes of a layer do, may share one copy: it stays for as long as the arena has
room for it from one to the next, and then the bytes are copied again, or read where they lie. Since bytes that stay
take room from others, three plans are made, and that with the shortest run is taken: one in which what can stay does so
from the first, one in which every reader has a copy of its own, and one in which neighbours of these join where there
is room left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from stowage.errors import InvalidBoard
from stowage.memory.plan import Plan
from stowage.memory.planning import plan_as_it_is, plan_within
from stowage.schedule.schedule import Schedule, Transfer
from stowage.target.board import Master, Role
from stowage.target.target import Target
from stowage.transfers.choice import Choice, by_start
from stowage.transfers.cost_model import Candidate, candidates
from stowage.transfers.sharing import sharing
from stowage.transfers.timeline import CostedSteps, Regions, costed

_CACHE_LINE_BYTES = 32
_LEAST_SHARE = 64


def with_prefetch(plan: Plan, target: Target, ram_bytes: int | None = None) -> Plan:
    """The plan with transfers, where some pay and the arena has room for what they bring; else the plan itself.

    The arena may grow to all that its region holds, or to `ram_bytes`. Without a DMA controller there are no transfers.

    Raises:
        InvalidBoard: the controllers do not reach the weights, or the arena.
    """
    if not target.dma_channels:
        return plan
    regions = regions_of(target)
    _check_reach(regions, target)
    capacity_bytes = min(regions.destination.capacity_bytes, ram_bytes or regions.destination.capacity_bytes)
    steps = costed(plan.schedule, regions)
    weights = _usable(plan.schedule, target) if regions.source.read_cost > regions.destination.read_cost else []
    shared = sharing(plan.schedule, weights)
    ways = (Choice.staying, Choice.joining, Choice.apart) if len(shared) < len(weights) else (Choice.apart,)
    plans = (_planned(plan, target, steps, capacity_bytes, partial(way, weights=shared)) for way in ways)
    return min(plans, key=lambda each: _merit(each, steps))


def _merit(plan: Plan, steps: CostedSteps) -> tuple[int, int]:
    """How long the run is, and what is copied: less is better."""
    run = steps.run(plan.schedule.transfers)
    return run.end, sum(flight.size_bytes for flight in run.flights)


def _planned(
    plan: Plan,
    target: Target,
    steps: CostedSteps,
    capacity_bytes: int,
    transfers_of: Callable[[Choice], list[Transfer]],
) -> Plan:
    """The plan with those transfers that pay and have room.

    Where no place is found for all of them, they are chosen anew for an arena that is smaller by what was missing.
    """
    region, room_bytes = steps.regions.destination.name, capacity_bytes
    while chosen := transfers_of(Choice(plan, target, steps, room_bytes)):
        schedule = replace(plan.schedule, transfers=by_start(chosen))
        planned = plan_within(schedule, region, capacity_bytes)
        if planned.arena_bytes <= capacity_bytes:
            planned = min(planned, plan_as_it_is(schedule, region), key=lambda each: each.arena_bytes)
            lines = _CACHE_LINE_BYTES if target.core.caches else 0
            return replace(planned, transfer_channels=target.dma_channels, cache_line_bytes=lines)
        room_bytes -= max(planned.arena_bytes - capacity_bytes, capacity_bytes // _LEAST_SHARE)
    return plan


def _usable(schedule: Schedule, target: Target) -> list[Candidate]:
    """Weights that a copy can bring."""
    grain_bytes = _CACHE_LINE_BYTES if target.core.caches else 1
    return [each for each in candidates(schedule) if each.size_bytes % grain_bytes == 0]


def regions_of(target: Target) -> Regions:
    """From where to where weights are brought."""
    return Regions(target.preferred(Role.WEIGHTS), target.preferred(Role.ARENA))


def _check_reach(regions: Regions, target: Target) -> None:
    for region, what in ((regions.source, "the weights lie"), (regions.destination, "they would be brought")):
        if Master.DMA not in region.reached_by:
            raise InvalidBoard(
                file=target.file,
                where=f"regions[{region.name}].reached_by",
                reason=f"the DMA controllers do not reach it, and it is where {what}",
                remedy="add DMA if they do, or leave out --prefetch (prefetch)",
            )
