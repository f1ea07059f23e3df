# SPDX-License-Identifier: Apache-2.0
"""The transfers of a plan, taken one after the other by what they save, within bytes and channels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from stowage.memory.peak import moments_of
from stowage.memory.plan import Plan
from stowage.schedule.schedule import Schedule, Transfer, fresh_name
from stowage.target.target import Target
from stowage.transfers.cost_model import Candidate
from stowage.transfers.sharing import Readers
from stowage.transfers.timeline import CostedSteps


def by_start(transfers: Sequence[Transfer]) -> tuple[Transfer, ...]:
    """Transfers in the order in which they start."""
    return tuple(sorted(transfers, key=lambda each: (each.start, each.moment)))


class Choice:
    """Transfers that are taken one after the other, with the bytes that are in use at each moment."""

    def __init__(self, plan: Plan, target: Target, steps: CostedSteps, capacity_bytes: int) -> None:
        self._schedule: Schedule = plan.schedule
        self._target = target
        self._steps = steps
        self._capacity_bytes = capacity_bytes
        self._used_bytes = [moment.used_bytes for moment in moments_of(plan)]
        self._in_flight = [0] * len(self._used_bytes)

    def staying(self, weights: Sequence[Readers]) -> list[Transfer]:
        """Those that pay, of the weights that are read most first; what is read again stays where there is room."""
        chosen: list[Transfer] = []
        end = self._steps.run(()).end
        for readers in sorted(weights, key=lambda each: -sum(reader.read_bytes for reader in each)):
            for stay in self._stays(readers):
                best = self._best(stay, chosen)
                if best is not None and best[0] < end:
                    end = best[0]
                    chosen.append(best[1])
                    self._count(best[1], stay[0].size_bytes, 1)
        return chosen

    def apart(self, weights: Sequence[Readers]) -> list[Transfer]:
        """Those that pay if each is for one reader."""
        return self.staying([(reader,) for readers in weights for reader in readers])

    def joining(self, weights: Sequence[Readers]) -> list[Transfer]:
        """As if each were for one reader; then neighbours of the same weights join where there is room."""
        chosen = self.apart(weights)
        for readers in weights:
            last: Transfer | None = None
            for reader in readers:
                own = next((each for each in chosen if each.readers == (reader.moment,)), None)
                joined = self._joined(last, own, chosen, reader.size_bytes) if last and own else None
                chosen, last = (chosen, own) if joined is None else joined
        return chosen

    def _joined(
        self, last: Transfer, own: Transfer, chosen: list[Transfer], size_bytes: int
    ) -> tuple[list[Transfer], Transfer] | None:
        """All transfers with two of them made one, and that one; None if there is no room or the run is longer."""
        between = range(last.readers[-1] + 1, own.start)
        both = replace(last, again=(*last.again, own.moment))
        joined = [both if each is last else each for each in chosen if each is not own]
        longer = self._steps.run(by_start(joined)).end > self._steps.run(by_start(chosen)).end
        if longer or not self._has_room(size_bytes, between):
            return None
        for transfer, copies in ((last, -1), (own, -1), (both, 1)):
            self._count(transfer, size_bytes, copies)
        return joined, both

    def _stays(self, readers: Readers) -> Iterator[Readers]:
        """Readers between whose first and last there is room for what they read."""
        stay = readers[:1]
        for reader in readers[1:]:
            if self._has_room(reader.size_bytes, range(stay[-1].moment, reader.moment + 1)):
                stay = (*stay, reader)
            else:
                yield stay
                stay = (reader,)
        yield stay

    def _has_room(self, size_bytes: int, moments: Iterable[int]) -> bool:
        return all(self._used_bytes[moment] + size_bytes <= self._capacity_bytes for moment in moments)

    def _best(self, stay: Readers, chosen: list[Transfer]) -> tuple[int, Transfer] | None:
        """The transfer with which the run ends soonest, and its end; of equals the one that starts latest."""
        found: tuple[int, Transfer] | None = None
        first, again = stay[0], tuple(each.moment for each in stay[1:])
        buffer = fresh_name(self._schedule, f"{self._schedule.steps[first.moment - 1].node.name}.staged")
        for start in self._starts(first):
            transfer = Transfer(buffer, start, first.moment, first.constant, again)
            run = self._steps.run(by_start([*chosen, transfer]))
            if found is None or run.end < found[0]:
                found = run.end, transfer
            if not any(flight.stall for flight in run.flights):
                break
        return found

    def _starts(self, candidate: Candidate) -> Iterator[int]:
        """Moments from which a transfer may be in flight, from the latest on back."""
        for start in range(candidate.moment, 0, -1):
            if not self._has_room(candidate.size_bytes, (start,)):
                return
            if self._in_flight[start] >= self._target.dma_channels:
                return
            yield start

    def _count(self, transfer: Transfer, size_bytes: int, copies: int) -> None:
        """One more, or one less."""
        for moment in range(transfer.start, transfer.readers[-1] + 1):
            self._used_bytes[moment] += copies * size_bytes
        for moment in range(transfer.start, transfer.moment + 1):
            self._in_flight[moment] += copies
