# SPDX-License-Identifier: Apache-2.0
"""The order of steps with the lowest peak, by halving the budget: is there an order that never has more bytes alive?

Each question is answered by a depth-first search over downsets that enters none twice, up to a limit of work. Where all
questions are answered the order is the best there is; where some are given up, it is the best that was met, and what
was proved about lower budgets says how much lower another one may be.

The search takes some steps at once, without alternatives, where they can't do harm: a chain that leaves no more bytes
alive than there were, and stays within the budget meanwhile. Moved to this point from wherever another order has them,
they lower what is alive in between and change nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from stowage.schedule.order_problem import OrderProblem

_WORK_LIMIT = 20_000
"""Steps that one question may try: a fraction of a second, and the same answer on every machine."""
_FEW_STEPS = 64
_WORK_LIMIT_OF_FEW = 100_000
"""The same for graphs of so many steps at most, whose states are small and questions few: seconds."""


class _State(NamedTuple):
    """A downset with an order that leads to it, as a list linked backwards.

    Attributes:
        done: the steps that have run.
        peak: the most bytes alive so far.
        live_bytes: what is alive now.
        last: the step that ran last, -1 at the start.
        before: the state before it.
    """

    done: int
    peak: int
    live_bytes: int
    last: int
    before: _State | None

    def order(self) -> tuple[int, ...]:
        """The steps that led here."""
        steps = []
        state: _State | None = self
        while state is not None and state.before is not None:
            steps.append(state.last)
            state = state.before
        return tuple(reversed(steps))


_Ready = dict[int, tuple[int, ...]]
"""For each downset that was entered, the steps that may run next, lowest first."""


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
        work_limit: how many steps the search for an order within one budget may try; None leaves it to the problem.
    """
    if work_limit is None:
        work_limit = _WORK_LIMIT_OF_FEW if len(problem.tasks) <= _FEW_STEPS else _WORK_LIMIT
    order = tuple(range(len(problem.tasks)))
    lowest = bound = problem.floor_bytes
    best = problem.peak_bytes(order)
    search = _Search(problem)
    while lowest < best:
        budget = (lowest + best) // 2
        state = search.within(budget, work_limit)
        if state is not None:
            order, best = state.order(), state.peak
        else:
            lowest = budget + 1
            bound = bound if search.gave_up else lowest
    return BestOrder(order, best, bound)


class _Search:
    """The graph of downsets of a problem; `gave_up` says whether the last question was left unanswered."""

    def __init__(self, problem: OrderProblem) -> None:
        self.problem = problem
        self.gave_up = False
        self.full = (1 << len(problem.tasks)) - 1
        self.users: list[list[int]] = [[] for _ in problem.tasks]
        for index, task in enumerate(problem.tasks):
            for maker in _members(task.needs):
                self.users[maker].append(index)
        self.waiting = [[(user, problem.tasks[user].needs) for user in users] for users in self.users]
        self.rivals = [task.rivals for task in problem.tasks]
        self.effects: list[dict[int, tuple[int, int]]] = [{} for _ in problem.tasks]

    def within(self, budget: int, work_limit: int) -> _State | None:
        """All steps in an order that stays within a budget; None where none was found."""
        stack = [_State(0, self.problem.floor_bytes, self.problem.start_bytes, -1, None)]
        entered: _Ready = {}
        work = 0
        while stack and work <= work_limit:
            state = stack.pop()
            if state.done == self.full:
                return state
            if state.done not in entered:
                ready = entered[state.done] = self._ready(state, entered)
                stack += self._successors(state, ready, budget)
                work += len(ready)
        self.gave_up = bool(stack)
        return None

    def _ready(self, state: _State, entered: _Ready) -> tuple[int, ...]:
        """What may run next: what might have at the last state that was entered, and what the steps since then made."""
        before = state.before
        if before is None:
            return tuple(index for index, task in enumerate(self.problem.tasks) if not task.needs)
        fresh = self._freed(state)
        while before.done not in entered and before.before is not None:
            fresh += self._freed(before)
            before = before.before
        ready = {*entered[before.done], *fresh}
        return tuple(sorted(index for index in ready if not state.done >> index & 1))

    def _successors(self, state: _State, ready: tuple[int, ...], budget: int) -> list[_State]:
        """What may come next, only one step where that is harmless; last, to be tried first, what goes on with the step
        before, and leaves least alive."""
        states = []
        for index in ready:
            after = self._after(state, index)
            if after.peak <= budget:
                end = self._harmless(state, after, budget)
                if end is not None:
                    return [end]
                states.append(after)
        users = self.users[state.last] if state.done else []
        return sorted(states, key=lambda after: (after.last in users, -after.live_bytes))

    def _harmless(self, before: _State, after: _State, budget: int) -> _State | None:
        """Where a chain of steps first leaves no more alive than `before`, if it is within the budget until then."""
        while after.peak <= budget:
            if after.live_bytes <= before.live_bytes:
                return after
            following = self._freed(after)
            if len(following) != 1:
                return None
            after = self._after(after, following[0])
        return None

    def _freed(self, state: _State) -> list[int]:
        """The users of the last step that wait for nothing more."""
        missing = ~state.done
        return [user for user, needs in self.waiting[state.last] if not needs & missing]

    def _after(self, state: _State, index: int) -> _State:
        """The state after one step more. What a step adds is reckoned once for all sets of those that read its operands
        too, since the search comes to the same ones again and again."""
        done, peak, before_bytes, _, _ = state
        known, rivals = self.effects[index], done & self.rivals[index]
        if rivals not in known:
            known[rivals] = self.problem.tasks[index].run(done, index, 0)
        during, more_bytes = known[rivals]
        during += before_bytes
        return _State(done | 1 << index, during if during > peak else peak, before_bytes + more_bytes, index, state)


def _members(steps: int) -> Iterator[int]:
    """The members of a set, lowest first."""
    while steps:
        lowest = steps & -steps
        yield lowest.bit_length() - 1
        steps ^= lowest
