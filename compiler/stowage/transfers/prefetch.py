# SPDX-License-Identifier: Apache-2.0
"""Which weights are brought into the arena by DMA while earlier steps run, and from when on.

Weights are worth it if the run is shorter with them by the board's cost model. Of the moments from which a copy keeps
its step waiting least the latest is taken, since its bytes in the arena are nobody else's until the step is done: most
often that is the step before (double buffering), or a few more where that one is short. The weights that are read most
come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stowage.errors import InvalidBoard
from stowage.memory.peak import moments_of
from stowage.memory.plan import Plan
from stowage.memory.planning import plan_as_it_is
from stowage.schedule.schedule import Schedule, Transfer, fresh_name
from stowage.target.board import Master, Role
from stowage.target.target import Target
from stowage.transfers.cost_model import Candidate, candidates
from stowage.transfers.timeline import CostedSteps, Regions, costed

_CACHE_LINE_BYTES = 32


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
    chosen = _Choice(plan, target, costed(plan.schedule, regions), capacity_bytes).transfers()
    while chosen:
        schedule = replace(plan.schedule, transfers=_by_start(chosen))
        planned = plan_as_it_is(schedule, regions.destination.name)
        if planned.arena_bytes <= capacity_bytes:
            return replace(planned, transfer_channels=target.dma_channels)
        chosen.pop()
    return plan


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


def _by_start(transfers: Sequence[Transfer]) -> tuple[Transfer, ...]:
    return tuple(sorted(transfers, key=lambda each: (each.start, each.moment)))


class _Choice:
    """Transfers that are taken one after the other, with the bytes that are in use at each moment."""

    def __init__(self, plan: Plan, target: Target, steps: CostedSteps, capacity_bytes: int) -> None:
        self._schedule: Schedule = plan.schedule
        self._target = target
        self._steps = steps
        self._capacity_bytes = capacity_bytes
        self._used_bytes = [moment.used_bytes for moment in moments_of(plan)]
        self._in_flight = [0] * len(self._used_bytes)

    def transfers(self) -> list[Transfer]:
        """Those that pay, the one that saves most first."""
        chosen: list[Transfer] = []
        end = self._steps.run(()).end
        for candidate in self._worth():
            best = self._best(candidate, chosen)
            if best is not None and best[0] < end:
                end = best[0]
                chosen.append(best[1])
                self._take(best[1], candidate.size_bytes)
        return chosen

    def _worth(self) -> list[Candidate]:
        """Weights that are read faster where they would be brought, and that a copy can bring."""
        regions = self._steps.regions
        gain = regions.source.read_cost - regions.destination.read_cost
        grain_bytes = _CACHE_LINE_BYTES if self._target.core.caches else 1
        usable = [each for each in candidates(self._schedule) if each.size_bytes % grain_bytes == 0]
        return sorted(usable, key=lambda each: -each.read_bytes) if gain > 0 else []

    def _best(self, candidate: Candidate, chosen: list[Transfer]) -> tuple[int, Transfer] | None:
        """The transfer with which the run ends soonest, and its end; of equals the one that starts latest."""
        found: tuple[int, Transfer] | None = None
        for start in self._starts(candidate):
            buffer = fresh_name(self._schedule, f"{self._schedule.steps[candidate.moment - 1].node.name}.staged")
            transfer = Transfer(buffer, start, candidate.moment, candidate.constant)
            run = self._steps.run(_by_start([*chosen, transfer]))
            if found is None or run.end < found[0]:
                found = run.end, transfer
            if not any(flight.stall for flight in run.flights):
                break
        return found

    def _starts(self, candidate: Candidate) -> Iterator[int]:
        """Moments from which a transfer may be in flight, from the latest on back."""
        for start in range(candidate.moment, 0, -1):
            if self._used_bytes[start] + candidate.size_bytes > self._capacity_bytes:
                return
            if self._in_flight[start] >= self._target.dma_channels:
                return
            yield start

    def _take(self, transfer: Transfer, size_bytes: int) -> None:
        for moment in range(transfer.start, transfer.moment + 1):
            self._used_bytes[moment] += size_bytes
            self._in_flight[moment] += 1
