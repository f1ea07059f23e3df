# SPDX-License-Identifier: Apache-2.0
"""Where an order has come to, and where one step more brings it.

A *downset* is a set of steps that holds, with a step, everything that it needs: what has run at some point of some
order. The bytes alive between two steps depend on the downset alone.
"""

from __future__ import annotations

from typing import NamedTuple

from stowage.schedule.order_precedence import Precedence, members
from stowage.schedule.order_pressure import Pressure
from stowage.schedule.order_problem import OrderProblem

MANY_STEPS = 512
"""Longer graphs are searched without what takes more memory or time, the longer they are: room and ways to deaths."""


class State(NamedTuple):
    """A downset with an order that leads to it, as a list linked backwards.

    Attributes:
        done: the steps that have run.
        ready: those that may run next.
        peak: the most bytes alive so far.
        live_bytes: what is alive now.
        room: what each step to come has left of the budget, as `Pressure` defines it; 0 in graphs of many steps.
        last: the step that ran last, -1 at the start.
        before: the state before it.
    """

    done: int
    ready: int
    peak: int
    live_bytes: int
    room: int
    last: int
    before: State | None

    def order(self) -> tuple[int, ...]:
        """The steps that led here."""
        steps = []
        state: State | None = self
        while state is not None and state.before is not None:
            steps.append(state.last)
            state = state.before
        return tuple(reversed(steps))


class States:
    """The states of a problem.

    Attributes:
        precedence: who waits for whom.
        floor_bytes: no order has a lower peak.
        users: for each step the set of those that read what it makes.
        rivals: for each step the set of those that read what it reads, itself among them.
    """

    def __init__(self, problem: OrderProblem) -> None:
        self._problem = problem
        tasks = problem.tasks
        self.precedence = Precedence([task.needs for task in tasks])
        self._pressure = Pressure(self.precedence, problem.values, [task.own_bytes for task in tasks])
        has_room = len(tasks) <= MANY_STEPS
        self._enough = self._pressure.enough() if has_room else 0
        self.floor_bytes = max(problem.ends_bytes, self._pressure.floor_bytes)
        self.rivals = [task.rivals for task in tasks]
        self.users = [0] * len(tasks)
        for index, task in enumerate(tasks):
            for maker in members(task.needs):
                self.users[maker] |= 1 << index
        self._waiting = [[(1 << user, tasks[user].needs) for user in members(users)] for users in self.users]
        self._effects: list[dict[int, tuple[int, int]]] = [{} for _ in tasks]
        self._taken: list[int | None] = [None if has_room else 0] * len(tasks)

    def start(self, budget: int) -> State:
        """The state before the first step, of orders within a budget."""
        ready = sum(1 << index for index, task in enumerate(self._problem.tasks) if not task.needs)
        problem, room = self._problem, self._pressure.room(budget) if self._enough else 0
        return State(0, ready, problem.ends_bytes, problem.start_bytes, room, -1, None)

    def is_hopeful(self, state: State) -> bool:
        """Whether every step to come has room for what must be alive meanwhile."""
        return state.room & self._enough == self._enough

    def missing_bytes(self, state: State) -> int:
        """How much more than the budget some step to come needs."""
        return self._pressure.missing_bytes(state.room)

    def effect(self, done: int, index: int) -> tuple[int, int]:
        """What a step after `done` adds to the bytes alive, while it runs and after it.

        It is reckoned once for all sets of those that read its operands too: a search comes to the same ones again.
        """
        known, rivals = self._effects[index], done & self.rivals[index]
        if rivals not in known:
            known[rivals] = self._problem.tasks[index].run(done, index, 0)
        return known[rivals]

    def freed(self, state: State) -> int:
        """The users of the last step that wait for nothing more."""
        missing, found = ~state.done, 0
        for user, needs in self._waiting[state.last]:
            if not needs & missing:
                found |= user
        return found

    def after(self, state: State, index: int) -> State:
        """The state after one step more."""
        done, ready, peak, live_bytes, room, _, _ = state
        during, more_bytes = self.effect(done, index)
        during += live_bytes
        step = 1 << index
        done |= step
        ready ^= step
        missing = ~done
        for user, needs in self._waiting[index]:
            if not needs & missing:
                ready |= user
        room -= self._taken_by(index)
        return State(done, ready, during if during > peak else peak, live_bytes + more_bytes, room, index, state)

    def _taken_by(self, index: int) -> int:
        taken = self._taken[index]
        if taken is None:
            taken = self._taken[index] = self._pressure.taken(index)
        return taken
