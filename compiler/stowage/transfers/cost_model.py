# SPDX-License-Identifier: Apache-2.0
"""What steps and copies cost by the board's figures.

The unit is that of a region's cost: the time in which a byte of a region of cost 1 is read. A multiply-accumulate, or
an element of a result that takes none, is one unit of work, whatever memory it needs; reading a weight costs the bytes
times the cost of the region that it is read from, as often as the kernel needs it: once for each product. A copy costs
its bytes times the costs of reading there and of writing here. Caches and waiting for a bus are not in the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stowage.quantise.work import macs
from stowage.schedule.schedule import Schedule, Step
from stowage.target.target import TargetRegion


@dataclass(frozen=True, slots=True)
class Candidate:
    """Weights that could be brought nearer.

    Attributes:
        moment: of the step that reads them.
        constant: which of its call's constants they are.
        size_bytes: how many.
        read_bytes: how many bytes the step reads of them, each as often as it is read.
    """

    moment: int
    constant: int
    size_bytes: int
    read_bytes: int


def candidates(schedule: Schedule) -> Iterator[Candidate]:
    """The largest constant of every step that multiplies."""
    for moment, step in enumerate(schedule.steps, 1):
        constants = step.call.constants
        if macs(step.node) and constants:
            index = max(range(len(constants)), key=lambda each: constants[each].array.nbytes)
            array = constants[index].array
            times = max(1, macs(step.node) // max(1, array.size))
            yield Candidate(moment, index, array.nbytes, times * array.nbytes)


def work(step: Step) -> int:
    """What a step costs apart from reading weights."""
    return max(macs(step.node), sum(value.type.elements for value in step.node.outputs))


def copying(size_bytes: int, source: TargetRegion, destination: TargetRegion) -> int:
    """What a copy costs."""
    return size_bytes * (source.read_cost + destination.write_cost)
