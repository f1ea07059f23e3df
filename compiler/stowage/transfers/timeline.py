# SPDX-License-Identifier: Apache-2.0
"""A run as the cost model has it: when each step runs, when each copy moves, and where a step has to wait for one.

Copies move one after the other, in the order of their starts: the controllers' channels share the way to memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from stowage.schedule.schedule import Schedule, Transfer
from stowage.target.target import TargetRegion
from stowage.transfers.cost_model import Candidate, candidates, copying, work


@dataclass(frozen=True, slots=True)
class Regions:
    """Where weights lie, and where they are brought."""

    source: TargetRegion
    destination: TargetRegion


@dataclass(frozen=True, slots=True)
class Flight:
    """A copy in time.

    Attributes:
        transfer: which.
        size_bytes: what it moves.
        started: when the program starts it.
        moved_from: when its first byte moves, once earlier copies have moved.
        moved_to: when its last byte is there.
        stall: how long its step waits for it.
    """

    transfer: Transfer
    size_bytes: int
    started: int
    moved_from: int
    moved_to: int
    stall: int

    @property
    def cost(self) -> int:
        """How long its bytes move."""
        return self.moved_to - self.moved_from

    @property
    def hidden(self) -> int:
        """How much of that passes while steps run."""
        return max(0, self.cost - self.stall)


@dataclass(frozen=True, slots=True)
class Timeline:
    """A run in time, in units of the cost model.

    Attributes:
        steps: start and end of each step.
        flights: the copies, in the order of their starts.
        end: when the last step ends.
    """

    steps: tuple[tuple[int, int], ...]
    flights: tuple[Flight, ...]
    end: int


@dataclass(frozen=True, slots=True)
class CostedSteps:
    """The steps of a schedule with what they cost, for timelines with one set of transfers or another.

    Attributes:
        work: what each step costs apart from reading weights.
        read_bytes: by moment and constant, the weights that a step may read elsewhere, as bytes that it reads.
        size_bytes: of these weights.
        regions: from where to where they may be brought.
    """

    work: Sequence[int]
    read_bytes: Mapping[tuple[int, int], int]
    size_bytes: Mapping[tuple[int, int], int]
    regions: Regions

    def run(self, transfers: Sequence[Transfer]) -> Timeline:
        """The run with these transfers, which are in the order of their starts."""
        staged = {(reader, each.constant) for each in transfers for reader in each.readers}
        reading = self._reading(staged)
        starting, awaited = _by(transfers, lambda each: each.start), _by(transfers, lambda each: each.moment)
        now, free, steps, done = 0, 0, list[tuple[int, int]](), dict[Transfer, Flight]()
        for moment, step_work in enumerate(self.work, 1):
            for each in starting[moment]:
                size_bytes = self.size_bytes[each.moment, each.constant]
                begin = max(now, free)
                free = begin + copying(size_bytes, self.regions.source, self.regions.destination)
                done[each] = Flight(each, size_bytes, now, begin, free, 0)
            for each in awaited[moment]:
                flight = done[each]
                stall = max(0, flight.moved_to - now)
                done[each] = Flight(each, flight.size_bytes, flight.started, flight.moved_from, flight.moved_to, stall)
                now += stall
            begin, now = now, now + step_work + reading[moment]
            steps.append((begin, now))
        return Timeline(tuple(steps), tuple(done.values()), now)

    def _reading(self, staged: set[tuple[int, int]]) -> Mapping[int, int]:
        """By moment, what reading weights costs."""
        costs: dict[int, int] = defaultdict(int)
        for key, read_bytes in self.read_bytes.items():
            region = self.regions.destination if key in staged else self.regions.source
            costs[key[0]] += read_bytes * region.read_cost
        return costs


def _by(transfers: Sequence[Transfer], moment: Callable[[Transfer], int]) -> Mapping[int, list[Transfer]]:
    """Transfers by one of their moments, each in the order in which they are given."""
    found: dict[int, list[Transfer]] = defaultdict(list)
    for each in transfers:
        found[moment(each)].append(each)
    return found


def costed(schedule: Schedule, regions: Regions) -> CostedSteps:
    """The steps of a schedule with their costs."""
    weights: dict[tuple[int, int], Candidate] = {(each.moment, each.constant): each for each in candidates(schedule)}
    return CostedSteps(
        work=[work(step) for step in schedule.steps],
        read_bytes={key: each.read_bytes for key, each in weights.items()},
        size_bytes={key: each.size_bytes for key, each in weights.items()},
        regions=regions,
    )
