# SPDX-License-Identifier: Apache-2.0
"""A concat along the channels grows part by part: a layer that makes one makes it beside those that are there.

Then that part never is in memory by itself. Where the layers are made one after the other, so is all of the concat.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.movement import Concat
from stowage.schedule.joins import in_reading_order, is_bound
from stowage.schedule.schedule import Schedule, Step, fresh_name, join_moments
from stowage.target.kernels.beside import call_beside, can_lie_beside, node_beside
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import Site


def concat_as_growth(schedule: Schedule, index: int) -> Schedule | None:
    """The schedule whose concat, step `index`, grows; None where none of its operands can be made beside another."""
    node = schedule.steps[index].node
    if not isinstance(node.op, Concat) or not _is_of_channels(node, node.op) or is_bound(schedule, node.output):
        return None
    for order in _orders(schedule, index):
        growth = _Growth(schedule, index, order)
        if growth.is_growth:
            return in_reading_order(replace(schedule, steps=growth.steps))
    return None


def _is_of_channels(node: Node, op: Concat) -> bool:
    """Whether each pixel of the output has something of each operand, no two of which are one."""
    outer = node.output.type.shape[:-1]
    full = all(value.type.elements for value in node.inputs)
    return op.axis == len(outer) and math.prod(outer) > 1 and full and len(set(node.inputs)) == len(node.inputs) > 1


@dataclass(frozen=True, slots=True)
class _Run:
    """Operands that follow each other, and the value that they are together; its place is the first one's."""

    first: int
    count: int
    value: Value


def _orders(schedule: Schedule, index: int) -> Iterator[list[int]]:
    """Orders in which the operands of a concat may come: as they are made, and those last that can come later.

    What is made later reads its own operands later, which a state does not wait for.
    """
    operands = schedule.steps[index].node.inputs
    in_time = sorted(range(len(operands)), key=lambda place: _moment(schedule, operands[place]))
    yield in_time
    if not schedule.states:
        yield sorted(in_time, key=lambda place: _free_maker(schedule, index, operands[place]) is not None)


class _Growth:
    """The steps around a concat that grows.

    Attributes:
        steps: all steps of the schedule.
        is_growth: whether some layer makes its output beside others.
    """

    def __init__(self, schedule: Schedule, index: int, order: Sequence[int]) -> None:
        self._schedule, self._index = schedule, index
        self._node = schedule.steps[index].node
        self._runs: list[_Run] = []
        self._gone = {index}
        self._after: dict[int, list[Step]] = defaultdict(list)
        self.is_growth = False
        self._grow(order)
        self.steps = tuple(self._all_steps())

    def _grow(self, order: Sequence[int]) -> None:
        latest = 0
        for place in order:
            value = self._node.inputs[place]
            maker, neighbours = _free_maker(self._schedule, self._index, value), self._neighbours(place)
            latest = max(latest, _moment(self._schedule, value) - 1)
            if maker is None or neighbours is None:
                self._runs.append(_Run(place, 1, value))
                continue
            self._gone.add(maker)
            self._after[latest] += [*self._gathered(neighbours), self._beside(place, self._schedule.steps[maker])]
        self._after[self._index] += self._gathered(self._runs)

    def _all_steps(self) -> Iterator[Step]:
        for index, step in enumerate(self._schedule.steps):
            yield from () if index in self._gone else (step,)
            yield from self._after[index]

    def _neighbours(self, place: int) -> list[_Run] | None:
        """All that there is so far, in the order of the operands, if it is one run next to that operand."""
        runs = sorted(self._runs, key=lambda run: run.first)
        ends = [run.first + run.count for run in runs]
        if not runs or ends[:-1] != [run.first for run in runs[1:]]:
            return None
        return runs if place in (runs[0].first - 1, ends[-1]) else None

    def _gathered(self, runs: Sequence[_Run]) -> list[Step]:
        """Several runs become one, by a step."""
        runs = sorted(runs, key=lambda run: run.first)
        if len(runs) > 1:
            first, count = runs[0].first, sum(run.count for run in runs)
            whole = self._whole(first, count)
            values = tuple(run.value for run in runs)
            node = Node(self._node.name if whole == self._node.output else whole.name, self._node.op, values, (whole,))
            self._runs = [_Run(first, count, whole)]
            return [Step(node, lower(node, Site({}, Arithmetic.ONNX)))]
        return []

    def _beside(self, place: int, step: Step) -> Step:
        """The step that makes an operand, by which the one run there is grows."""
        (kept,) = self._runs
        first, count = min(place, kept.first), kept.count + 1
        whole = self._whole(first, count)
        self._runs, self.is_growth = [_Run(first, count, whole)], True
        node = node_beside(step.node, kept.value, whole, made_first=place < kept.first)
        return Step(node, call_beside(node, step.call))

    def _whole(self, first: int, count: int) -> Value:
        """The value of so many operands from one on."""
        output, operands = self._node.output, self._node.inputs[first : first + count]
        if count == len(self._node.inputs):
            return output
        channels = sum(value.type.shape[-1] for value in operands)
        name = fresh_name(self._schedule, f"{output.name}.from{first}to{first + count - 1}")
        return Value(name, replace(output.type, shape=(*output.type.shape[:-1], channels)))


def _free_maker(schedule: Schedule, index: int, value: Value) -> int | None:
    """The step that makes an operand of step `index`, if it is nothing else and the step can put it beside others."""
    readers = [k for k, step in enumerate(schedule.steps) for source in step.node.inputs if source == value]
    bases = {view.base for view in schedule.views} | {part for join in schedule.joins for part in join.parts}
    maker = next((k for k, step in enumerate(schedule.steps) if value in step.node.outputs), None)
    if maker is None or readers != [index] or value in {*bases, *schedule.outputs}:
        return None
    step, whole = schedule.steps[maker], schedule.steps[index].node.output
    return maker if value.type.quant == whole.type.quant and can_lie_beside(step.node, step.call) else None


def _moment(schedule: Schedule, value: Value) -> int:
    """That from which on a value can be read; step k runs at moment k + 1."""
    made = {each: moment for moment, step in enumerate(schedule.steps, 1) for each in step.node.outputs}
    joined = join_moments(schedule)
    base = next((view.base for view in schedule.views if view.value == value), value)
    return joined.get(base.name, made.get(base, 0))
