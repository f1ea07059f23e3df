# SPDX-License-Identifier: Apache-2.0
"""Whether some buffers fit below a limit, asked in the order of time.

Buffers are placed as they are born, each against the bottom, the limit, one of its rivals that were placed, or one
with a given place that it will meet. What was placed before matters only through what still has a rival to come, so
that the same buffers at the same places are looked at once. That suits networks, however long, with few tensors alive
at a time; it may miss placements in which buffers lie elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stowage.memory.conflicts import Conflicts, aligned
from stowage.memory.fixed import fixed_places
from stowage.memory.greedy import Offsets

_MOST_MARGINS = 16


@dataclass(frozen=True, slots=True)
class _State:
    """The first buffers placed: what still matters of them with its places, and how it came to that."""

    alive: tuple[tuple[int, int], ...]
    place: tuple[int, int] | None = None
    before: _State | None = None
    count: int = 0

    def places(self) -> Iterator[tuple[int, int]]:
        state: _State | None = self
        while state is not None and state.place is not None:
            yield state.place
            state = state.before


class Sweep:
    """The question for one problem; `work` counts the places that were tried."""

    def __init__(self, conflicts: Conflicts) -> None:
        self._conflicts = conflicts
        buffers = conflicts.buffers
        self._births = sorted(range(len(buffers)), key=lambda i: (buffers[i].first, -buffers[i].size_bytes, i))
        self._until = [self._last_rival(index) for index in range(len(buffers))]
        self._lifts, self._drops = self._margins()
        self._fixed = fixed_places(conflicts)
        self.work = 0

    def within(self, limit_bytes: int, work_limit: int) -> Offsets | None:
        """Offsets with which every buffer ends at or below a limit, or None where none were found."""
        stack, seen = [_State(())], set[tuple[int, tuple[tuple[int, int], ...]]]()
        self.work = 0
        while stack and self.work <= work_limit:
            state = stack.pop()
            if state.count == len(self._births):
                places = dict(state.places())
                return tuple(places[index] for index in range(len(places)))
            if (state.count, state.alive) not in seen:
                seen.add((state.count, state.alive))
                stack += self._following(state, limit_bytes)
        return None

    def _following(self, state: _State, limit_bytes: int) -> list[_State]:
        """The states with one buffer more, that with the lowest place last."""
        index = self._births[state.count]
        buffers = self._conflicts.buffers
        alive = tuple(each for each in state.alive if self._until[each[0]] >= buffers[index].first)
        others = self._others(index, alive)
        candidates = self._candidates(index, others, limit_bytes)
        self.work += len(candidates)
        legal = sorted(candidates, reverse=True)
        for low, high in (self._conflicts.forbidden(index, *other) for other in others):
            legal = [offset for offset in legal if not low < offset < high]
        return [
            _State(tuple(sorted((*alive, (index, offset)))), (index, offset), state, state.count + 1)
            for offset in legal
        ]

    def _others(self, index: int, alive: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
        """A buffer's rivals that have their places."""
        known, rivals = dict(alive), self._conflicts.clearance_bytes[index].keys()
        given = rivals & self._fixed.keys() - known.keys()
        met = (each for each in alive if each[0] in rivals)
        return [*met, *((other, self._fixed[other]) for other in sorted(given))]

    def _last_rival(self, index: int) -> int:
        """The last moment at which a buffer matters to what is born: it lives, or something is to lie apart from it."""
        buffers = self._conflicts.buffers
        return max([buffers[index].last, *(buffers[j].first for j in self._conflicts.clearance_bytes[index])])

    def _candidates(self, index: int, others: list[tuple[int, int]], limit_bytes: int) -> set[int]:
        buffer, clearances = self._conflicts.buffers[index], self._conflicts.clearance_bytes
        highest = limit_bytes - buffer.size_bytes
        if index in self._fixed:
            return {self._fixed[index]} if self._fixed[index] <= highest else set()
        above = {place + clearances[other][index] for other, place in others} | {0}
        below = {place - clearances[index][other] for other, place in others} | {highest}
        lifted = {aligned(place + lift, buffer.alignment_bytes) for place in above for lift in self._lifts[index]}
        dropped = {place - drop for place in below for drop in self._drops[index]}
        places = lifted | {place // buffer.alignment_bytes * buffer.alignment_bytes for place in dropped}
        return {place for place in places if 0 <= place <= highest}

    def _margins(self) -> tuple[list[set[int]], list[set[int]]]:
        """How far above the bottom, or below the limit, a buffer should keep for what will be made over it in turn."""
        buffers, clearances = self._conflicts.buffers, self._conflicts.clearance_bytes
        lifts, drops = [{0} for _ in buffers], [{0} for _ in buffers]
        for index in reversed(self._births):
            for after in (j for j in clearances[index] if buffers[j].first == buffers[index].last):
                lift, growth = clearances[after][index], buffers[after].size_bytes - buffers[index].size_bytes
                if 0 < lift < buffers[after].size_bytes:
                    lifts[index] |= {lift + more for more in lifts[after]}
                drop = clearances[index][after] + growth
                if drop > 0 and clearances[index][after] < buffers[index].size_bytes:
                    drops[index] |= {drop + more for more in drops[after]}
                lifts[index], drops[index] = (set(sorted(each[index])[:_MOST_MARGINS]) for each in (lifts, drops))
        return lifts, drops
