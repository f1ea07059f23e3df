# SPDX-License-Identifier: Apache-2.0
"""Who waits for whom. Sets of steps are integers, bit i for step i."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def members(steps: int) -> Iterator[int]:
    """The members of a set, lowest first."""
    while steps:
        lowest = steps & -steps
        yield lowest.bit_length() - 1
        steps ^= lowest


class Precedence:
    """Who waits for whom.

    Attributes:
        all: the set of all steps.
        before: for each step the set of those that it waits for.
        after: for each step the set of those that wait for it.
    """

    def __init__(self, needs: Sequence[int]) -> None:
        """Of steps that come after those that they need."""
        count = len(needs)
        self.all = (1 << count) - 1
        self.before, self.after = [0] * count, [0] * count
        for index, needed in enumerate(needs):
            for maker in members(needed):
                self.before[index] |= self.before[maker] | 1 << maker
        for index in reversed(range(count)):
            for maker in members(needs[index]):
                self.after[maker] |= self.after[index] | 1 << index

    def closure(self, steps: int) -> int:
        """A set with all that its members wait for."""
        closed = steps
        for index in members(steps):
            closed |= self.before[index]
        return closed

    def passes(self) -> set[int]:
        """The downsets that end with a step for which, or after which, all others wait: every order comes by them."""
        around = (before | 1 << index for index, before in enumerate(self.before))
        return {done for done, after in zip(around, self.after, strict=True) if done | after == self.all}
