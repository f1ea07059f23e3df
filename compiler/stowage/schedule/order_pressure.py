# SPDX-License-Identifier: Apache-2.0
"""What must be alive while each step runs: in any order, and in those that begin with some of the steps.

A value that is made, of necessity, before a step, and is read by it or, of necessity, after it, is alive meanwhile in
any order. One whose maker may come later than the step is alive too as soon as that maker has run.

Both are quadratic in steps, as who waits for whom is; but sets are integers and sums are vectors, so that a thousand
steps take hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stowage.schedule.order_precedence import Precedence

_FIELD_BITS = 64
_ENOUGH = 1 << 62
_DONE = 1 << 61


@dataclass(frozen=True, slots=True)
class Stored:
    """A value's bytes.

    Attributes:
        size_bytes: of the whole buffer.
        maker: the step that makes it, -1 for an input of the model.
        readers: the set of steps that read it.
        kept: whether it is a model output, which never dies.
    """

    size_bytes: int
    maker: int
    readers: int
    kept: bool


class Pressure:
    """The least bytes that are alive during every step.

    Attributes:
        floor_bytes: the greatest of them: no order has a lower peak.
    """

    def __init__(self, precedence: Precedence, values: Sequence[Stored], own_bytes: Sequence[int]) -> None:
        """Of the steps' values, and what each step takes beyond its operands in any order."""
        self._precedence = precedence
        self._least_bytes = np.array(own_bytes, np.int64)
        self._early: list[list[tuple[int, int]]] = [[] for _ in own_bytes]
        for value in values:
            self._count(value)
        self.floor_bytes = int(self._least_bytes.max(initial=0))

    def _count(self, value: Stored) -> None:
        through = self._precedence.all if value.kept else self._precedence.closure(value.readers)
        later = self._precedence.all
        if value.maker >= 0:
            later = self._precedence.after[value.maker]
            through &= ~(self._precedence.before[value.maker] | 1 << value.maker)
            self._early[value.maker].append((value.size_bytes, through & ~later))
        self._least_bytes[self._flags(through & later)] += value.size_bytes

    def room(self, budget_bytes: int) -> int:
        """A field for each step: what it has left of a budget, and a bit that is gone where that is less than none."""
        return _packed(budget_bytes + _ENOUGH - self._least_bytes)

    def taken(self, index: int) -> int:
        """What the room loses when a step has run; the step's own field is not counted any more."""
        more = np.zeros(len(self._early), np.int64)
        for size_bytes, through in self._early[index]:
            more[self._flags(through)] += size_bytes
        return _packed(more) - (_DONE << _FIELD_BITS * index)

    def missing_bytes(self, room: int) -> int:
        """How much more than the budget some step needs; less than none where there is room for all."""
        fields = np.frombuffer(room.to_bytes(_FIELD_BITS // 8 * len(self._early), "little"), "<i8")
        return _ENOUGH - int(fields.min(initial=_ENOUGH + _DONE))

    def enough(self) -> int:
        """The bits that are all set in a room in which every step has what it needs."""
        return _packed(np.full(len(self._early), _ENOUGH, np.int64))

    def _flags(self, steps: int) -> NDArray[np.bool_]:
        """For each step whether it is in a set."""
        count = len(self._early)
        octets = np.frombuffer(steps.to_bytes(-(-count // 8), "little"), np.uint8)
        return np.unpackbits(octets, count=count, bitorder="little").astype(np.bool_)


def _packed(fields: NDArray[np.int64]) -> int:
    return int.from_bytes(fields.astype("<i8").tobytes(), "little")
