# SPDX-License-Identifier: Apache-2.0
"""The order of steps with the lowest peak, by halving the budget: is there an order that never has more bytes alive?

Each question is answered by a depth-first search over downsets that enters none twice. It may take half of the work
that is left; one that was given up is asked again at the end, with all of it. Where all questions are answered, no
order is better; else it is the best that was met, and what was proved about lower budgets says how much lower another
one may be.

What keeps the search small: steps that can't do harm run without alternatives (`order_descents.py`); a state is left
where some step to come has no room for what must be alive meanwhile (`order_pressure.py`); and once a downset is
reached that every order comes by, what came before it is settled, so that parts between such places are searched one by
one, as in Ahn and others, "Ordering Chaos: Memory-Aware Scheduling of Irregularly Wired Neural Networks" (2020).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from stowage.schedule.order_descents import Descents
from stowage.schedule.order_problem import OrderProblem
from stowage.schedule.order_states import State, States

_WORK_OF_STEPS = 90_000_000
"""What may be tried for all budgets together, times the steps of the graph, as states are the larger the longer it is:
seconds at most, and the same answer on every machine."""


@dataclass(frozen=True, slots=True)
class BestOrder:
    """What the search found.

    Attributes:
        order: of all steps.
        peak_bytes: the most bytes alive at one moment of it.
        bound_bytes: no order has a lower peak than this.
    """

    order: tuple[int, ...]
    peak_bytes: int
    bound_bytes: int


def best_order(problem: OrderProblem, work_limit: int | None = None) -> BestOrder:
    """An order of all steps; the one that they come in, unless a better one is found.

    Args:
        problem: what each step needs and takes.
        work_limit: how many steps the search may try; None leaves it to the problem.
    """
    order = tuple(range(len(problem.tasks)))
    left = _WORK_OF_STEPS // max(1, len(order)) if work_limit is None else work_limit
    search = _Search(problem)
    lowest = bound = search.states.floor_bytes
    best = problem.peak_bytes(order)
    share = 2
    while bound < best and left > 0:
        if lowest >= best:
            lowest, share = bound, 1
        budget = (lowest + best) // 2
        state = search.within(budget, -(-left // share))
        left -= search.work
        if state is not None:
            order, best = state.order(), state.peak
        elif search.gave_up:
            lowest = budget + 1
        else:
            lowest = bound = search.next_budget
    return BestOrder(order, best, bound)


class _Search:
    """The graph of downsets of a problem.

    Attributes:
        states: its nodes.
        work: the steps that were tried for the last question.
        gave_up: whether it was left unanswered.
        next_budget: where it was answered with no, a larger budget below which the answer is the same.
    """

    def __init__(self, problem: OrderProblem) -> None:
        self.states = States(problem)
        self.work = 0
        self.gave_up = False
        self.next_budget = 0
        self._descents = Descents(problem, self.states)
        self._passes = self.states.precedence.passes()

    def within(self, budget: int, work_limit: int) -> State | None:
        """All steps in an order that stays within a budget; None where none was found."""
        stack = [self.states.start(budget)]
        entered: set[int] = set()
        self.work, self.next_budget = 0, sys.maxsize
        while stack and self.work <= work_limit:
            state = stack.pop()
            if state.done == self.states.precedence.all:
                return state
            if state.done in self._passes:
                stack.clear()
            if state.done not in entered:
                entered.add(state.done)
                stack += self._successors(state, budget)
        self.gave_up = bool(stack)
        return None

    def _successors(self, state: State, budget: int) -> list[State]:
        """What may come next, only one state where the way there is harmless.

        Last, to be tried first, is what goes on with the step before, and leaves least alive.
        """
        following, ready = [], state.ready
        while ready:
            self.work += 1
            index = (ready & -ready).bit_length() - 1
            ready &= ready - 1
            after = self.states.after(state, index)
            if after.peak > budget:
                self.next_budget = min(self.next_budget, after.peak)
                continue
            end = self._descents.along_chain(state, after, budget)
            if end is not None:
                return self._hopeful([end], budget)
            following.append(after)
        if len(following) > 1 and state.done:
            before = self._descents.work
            end = self._descents.to_death(state, budget)
            self.work += self._descents.work - before
            following = following if end is None else [end]
        users = self.states.users[state.last] if state.done else 0
        return sorted(self._hopeful(following, budget), key=lambda after: (users >> after.last & 1, -after.live_bytes))

    def _hopeful(self, states: list[State], budget: int) -> list[State]:
        """Those after which every step to come has room."""
        hopeful = []
        for state in states:
            if self.states.is_hopeful(state):
                hopeful.append(state)
            else:
                self.next_budget = min(self.next_budget, budget + self.states.missing_bytes(state))
        return hopeful
