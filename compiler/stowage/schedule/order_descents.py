# SPDX-License-Identifier: Apache-2.0
"""Steps that may run at once, without alternatives: those that lead down to no more bytes alive, within the budget.

Let S be steps that can run now, and let every part of S that could run alone leave more alive than all of S does, which
leaves no more than now. Then S may run now: moved here from wherever another order has it, it lowers what is alive in
between and changes nothing else. (The bytes alive are a submodular function of what has run: what S adds to them can
only shrink with what else has run. And the more has run, the more operands die with a step that may be written over.)
Liu's valleys, in "An application of generalized tree pebbling to sparse matrix factorization" (1987), are such places.
"""

from __future__ import annotations

from collections.abc import Iterator

from stowage.schedule.order_precedence import members
from stowage.schedule.order_problem import OrderProblem
from stowage.schedule.order_states import MANY_STEPS, State, States

_MOST_STEPS = 20
"""Of a set that is looked at."""
_MOST_PARTS = 500
"""Of it that may be looked at in turn."""


class Descents:
    """The ways down of a problem.

    Attributes:
        work: the steps that were tried on the way so far.
    """

    def __init__(self, problem: OrderProblem, states: States) -> None:
        self._states = states
        is_long = len(problem.tasks) > MANY_STEPS
        read = [value.readers for value in problem.values if value.readers and not value.kept and not is_long]
        self._closures = dict.fromkeys(map(states.precedence.closure, read))
        self._near = [rivals | users for rivals, users in zip(states.rivals, states.users, strict=True)]
        self._touched: list[list[int] | None] = [None] * len(self._near)
        self.work = 0

    def along_chain(self, before: State, after: State, budget: int) -> State | None:
        """Where a chain that begins with the step between two states first leaves no more alive than before it."""
        while after.peak <= budget:
            if after.live_bytes <= before.live_bytes:
                return after
            following = self._states.freed(after)
            if following.bit_count() != 1:
                return None
            after = self._states.after(after, following.bit_length() - 1)
        return None

    def to_death(self, state: State, budget: int) -> State | None:
        """Where the steps that some value has to wait for before it dies leave no more alive than now.

        Only steps are looked at that have to do with the last one: the others were before it ran.
        """
        for steps in self._deadly(state):
            if self._leads_down(state, steps, budget):
                found = self._first_valley(state, steps, budget)
                if found is not None:
                    return found
        return None

    def _deadly(self, state: State) -> Iterator[int]:
        near, left, seen = self._near[state.last], ~state.done, set[int]()
        for closure in self._closures_by(state.last):
            steps = closure & left
            if steps & near and 1 < steps.bit_count() <= _MOST_STEPS and steps not in seen:
                seen.add(steps)
                yield steps

    def _closures_by(self, index: int) -> list[int]:
        """What some value has to wait for before it dies, where a step has to do with it."""
        touched = self._touched[index]
        if touched is None:
            near = self._near[index]
            touched = self._touched[index] = [closure for closure in self._closures if closure & near]
        return touched

    def _leads_down(self, state: State, steps: int, budget: int) -> bool:
        """Whether the steps, one after the other, come to no more alive than now within the budget: a quick look."""
        done, live_bytes = state.done, state.live_bytes
        for index in members(steps):
            during, more_bytes = self._states.effect(done, index)
            if live_bytes + during > budget:
                return False
            live_bytes += more_bytes
            if live_bytes <= state.live_bytes:
                return True
            done |= 1 << index
        return False

    def _first_valley(self, state: State, steps: int, budget: int) -> State | None:
        """The smallest of the sets among some steps that leave no more alive than now, if one can run in the budget."""
        level, valleys, parts = {state.done: state}, list[int](), 0
        while level and parts <= _MOST_PARTS:
            parts += len(level)
            wider: dict[int, State] = {}
            for each in level.values():
                self.work += (each.ready & steps).bit_count()
                for index in members(each.ready & steps):
                    after = self._states.after(each, index)
                    if after.done not in wider or after.peak < wider[after.done].peak:
                        wider[after.done] = after
            level = {}
            for done, after in wider.items():
                if any(done & valley == valley for valley in valleys):
                    continue
                if after.live_bytes > state.live_bytes:
                    level[done] = after
                elif after.peak <= budget:
                    return after
                else:
                    valleys.append(done)
        return None
