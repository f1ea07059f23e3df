# SPDX-License-Identifier: Apache-2.0
"""Test support: hard placement problems that are known to fit, since they are a rectangle of bytes and time cut up."""

from __future__ import annotations

import random
from dataclasses import dataclass

from stowage.memory.problem import Buffer, Problem


@dataclass(frozen=True, slots=True)
class _Rectangle:
    """Bytes from `low` up to `high` at moments from `begin` up to `end`, neither end included."""

    low: int
    high: int
    begin: int
    end: int

    @property
    def area(self) -> int:
        return (self.high - self.low) * (self.end - self.begin)

    def cut(self, chance: random.Random) -> tuple[_Rectangle, _Rectangle] | None:
        """Two parts, side by side in bytes or in time, or None where it is too narrow for that."""
        if chance.random() < 0.5 and self.high - self.low > 1:
            place = chance.randint(self.low + 1, self.high - 1)
            return _Rectangle(self.low, place, self.begin, self.end), _Rectangle(place, self.high, self.begin, self.end)
        if self.end - self.begin > 1:
            moment = chance.randint(self.begin + 1, self.end - 1)
            return _Rectangle(self.low, self.high, self.begin, moment), _Rectangle(
                self.low, self.high, moment, self.end
            )
        return None


def cut_problem(seed: int, buffers: int, capacity_bytes: int, moments: int, left_out: int = 0) -> Problem:
    """A problem that fits in a capacity without a byte to spare at any moment but where some buffers were left out.

    Args:
        seed: of the chance by which it is cut.
        buffers: how many there are.
        capacity_bytes: the height of the rectangle.
        moments: its width.
        left_out: how many more there would be if none was left out.
    """
    chance = random.Random(seed)
    parts = [_Rectangle(0, capacity_bytes, 0, moments)]
    while len(parts) < buffers + left_out:
        index = chance.choices(range(len(parts)), [part.area for part in parts])[0]
        if cut := parts[index].cut(chance):
            parts[index : index + 1] = cut
    chance.shuffle(parts)
    made = [Buffer(f"b{n}", p.high - p.low, 1, p.begin, p.end - 1) for n, p in enumerate(parts[:buffers])]
    return Problem(tuple(made))
