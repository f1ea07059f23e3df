# SPDX-License-Identifier: Apache-2.0
"""How cheap an assignment of buffers to regions can possibly be, if buffers were liquid.

What has to hold of any assignment: at each moment the bytes that the buffers in a region need for themselves alone are
no more than the region has. Instead of demanding that, one may let each byte pay a *rent* for its moment and region,
and give back the rent of all bytes that there are: whatever the rents, the cheapest assignment then costs no more than
the cheapest that keeps the demand, and with the best rents as much as the linear relaxation of the whole problem.
(Lagrangian relaxation; the rents are sought by Held, Wolfe and Crowder's subgradient steps.) All is counted in whole
numbers, so that every machine finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stowage.memory.bound import Crowds
from stowage.memory.conflicts import conflicts_of
from stowage.memory.regions import RegionProblem

SCALE = 1 << 16
"""Rents and prices are counted in this fraction of a unit of cost."""
_STEPS = 120
_PATIENCE = 6

Rents = list[list[int]]
"""For each crowd, by the number of the region."""
Prices = list[dict[int, int]]
"""For each buffer, by the number of each region where it may lie, what it costs there with the rent of its bytes."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What has to hold at each moment: the bytes of a crowd in one region are within its limit.

    Attributes:
        crowds: for each moment at which most are alive, the bytes that each buffer needs for itself.
        limits_bytes: for each region.
        of_buffer: for each buffer the crowds that it is in.
    """

    crowds: tuple[Mapping[int, int], ...]
    limits_bytes: tuple[int, ...]
    of_buffer: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(problem: RegionProblem) -> Demands:
        """The demands of a problem, counted in grains of the coarsest alignment that all buffers have."""
        buffers = problem.problem.buffers
        grain_bytes = min((buffer.alignment_bytes for buffer in buffers), default=1)
        crowds = Crowds.of(conflicts_of(problem.problem), grain_bytes)
        weights = tuple({index: _own_bytes(crowds, index, crowd) for index in crowd} for crowd in crowds.largest())
        spare_bytes = max(crowds.pads_bytes, default=0)
        limits = tuple(region.capacity_bytes + spare_bytes for region in problem.regions)
        within = (tuple(k for k, crowd in enumerate(weights) if index in crowd) for index in range(len(buffers)))
        return Demands(weights, limits, tuple(within))

    def excesses(self, regions: Sequence[int]) -> Rents:
        """For each crowd, by region, how many bytes more than the limit an assignment puts there; negative if fewer."""
        excess = [[-limit for limit in self.limits_bytes] for _ in self.crowds]
        for crowd, row in zip(self.crowds, excess, strict=True):
            for index, own_bytes in crowd.items():
                row[regions[index]] += own_bytes
        return excess


def _own_bytes(crowds: Crowds, index: int, crowd: Sequence[int]) -> int:
    shared = sum(size for other, size in crowds.shared_bytes[index].items() if other in crowd)
    return max(0, crowds.sizes_bytes[index] - shared)


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The relaxed problem with its best rents.

    Attributes:
        demands: what is relaxed.
        prices: of each buffer in each region, scaled.
        refund: what is given back for all bytes that there are, scaled.
    """

    demands: Demands
    prices: Prices
    refund: int

    @property
    def bound(self) -> int:
        """No assignment costs less."""
        return self.bound_of(sum(min(each.values()) for each in self.prices))

    def bound_of(self, price: int) -> int:
        """No assignment costs less whose buffers have these prices in all."""
        return -((self.refund - price) // SCALE)


def relaxed(problem: RegionProblem, known_cost: int) -> Relaxation:
    """The relaxation of a problem each of whose buffers has a choice; `known_cost` is what some assignment costs."""
    demands, costs = Demands.of(problem), [problem.choices(index) for index in range(len(problem.traffic))]
    return max(_descent(demands, costs, known_cost), key=lambda each: each.bound)


def _descent(demands: Demands, costs: Prices, known_cost: int) -> Iterator[Relaxation]:
    """Relaxations with ever other rents: higher where more is wanted than there is, lower where less."""
    rents = [[0] * len(demands.limits_bytes) for _ in demands.crowds]
    best, idle, halvings = None, 0, 0
    for _ in range(_STEPS):
        relaxation = Relaxation(demands, _prices(demands, costs, rents), _refund(demands, rents))
        yield relaxation
        if relaxation.bound >= known_cost:
            return
        idle = 0 if best is None or relaxation.bound > best else idle + 1
        best = relaxation.bound if best is None else max(best, relaxation.bound)
        if idle == _PATIENCE:
            halvings, idle = halvings + 1, 0
        excess = demands.excesses([min(prices, key=lambda r: (prices[r], r)) for prices in relaxation.prices])
        rents = _moved(rents, excess, (known_cost - relaxation.bound) * SCALE >> halvings)


def _prices(demands: Demands, costs: Prices, rents: Rents) -> Prices:
    return [
        {
            region: cost * SCALE + sum(rents[k][region] * demands.crowds[k][index] for k in demands.of_buffer[index])
            for region, cost in own.items()
        }
        for index, own in enumerate(costs)
    ]


def _refund(demands: Demands, rents: Rents) -> int:
    return sum(rent * limit for row in rents for rent, limit in zip(row, demands.limits_bytes, strict=True))


def _moved(rents: Rents, excess: Rents, gap: int) -> Rents:
    """The rents after a step along the excesses that would close the gap if nothing else changed."""
    squares = sum(
        each * each
        for old, more in zip(rents, excess, strict=True)
        for rent, each in zip(old, more, strict=True)
        if each > 0 or rent > 0
    )
    if not squares:
        return rents
    return [
        [max(0, rent + gap * each // squares) for rent, each in zip(old, more, strict=True)]
        for old, more in zip(rents, excess, strict=True)
    ]
