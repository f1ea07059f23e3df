# SPDX-License-Identifier: Apache-2.0
"""A schedule as numbers, for the choice of an order: what each step needs, makes, uses up and saves.

Sets of steps are integers, bit i for step i. A *downset* is a set that holds, with a step, everything that it needs:
what has run at some point of some order. The bytes alive between two steps depend on the downset alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stowage.ir.graph import Value
from stowage.schedule.in_place import shared_bytes, sharings
from stowage.schedule.order_pressure import Stored
from stowage.schedule.schedule import Schedule, Step


@dataclass(frozen=True, slots=True)
class Operand:
    """Stored bytes that a step reads.

    Attributes:
        size_bytes: of the whole buffer.
        readers: all steps that read it; it dies with the last of them.
        kept: whether it is a model output, which never dies.
        shared_bytes: what the step's output can have in common with it if it dies there.
    """

    size_bytes: int
    readers: int
    kept: bool
    shared_bytes: int


@dataclass(frozen=True, slots=True)
class Task:
    """One step.

    Attributes:
        needs: the steps that make its operands.
        made_bytes: its outputs.
        scratch_bytes: its scratch.
        dropped_bytes: those of its outputs that nobody reads.
        operands: what it reads, each buffer once.
    """

    needs: int
    made_bytes: int
    scratch_bytes: int
    dropped_bytes: int
    operands: tuple[Operand, ...]

    def run(self, done: int, index: int, live_bytes: int) -> tuple[int, int]:
        """Bytes alive while this step (number `index`) runs after `done`, and after it."""
        left = ~(done | 1 << index)
        shared_bytes = dying_bytes = 0
        for operand in self.operands:
            if not operand.kept and not operand.readers & left:
                shared_bytes += operand.shared_bytes
                dying_bytes += operand.size_bytes
        during = live_bytes + self.made_bytes + self.scratch_bytes - min(self.made_bytes, shared_bytes)
        return during, live_bytes + self.made_bytes - self.dropped_bytes - dying_bytes

    @property
    def rivals(self) -> int:
        """The steps on which it depends what this one adds: those that read what it reads, itself among them."""
        readers = 0
        for operand in self.operands:
            readers |= operand.readers
        return readers

    @property
    def own_bytes(self) -> int:
        """What of its outputs and scratch cannot lie over its operands, in any order."""
        saved_bytes = min(self.made_bytes, sum(0 if each.kept else each.shared_bytes for each in self.operands))
        return self.made_bytes + self.scratch_bytes - saved_bytes


@dataclass(frozen=True, slots=True)
class OrderProblem:
    """Which orders there are, and what each takes.

    Attributes:
        tasks: the steps.
        values: what is stored and read or kept.
        start_bytes: inputs that a step reads or that are outputs, alive before the first step.
        ends_bytes: what the caller writes before the first step or reads after the last, whichever is more.
    """

    tasks: tuple[Task, ...]
    values: tuple[Stored, ...]
    start_bytes: int
    ends_bytes: int

    def peak_bytes(self, order: Iterable[int]) -> int:
        """The most bytes alive at one moment of an order."""
        done, live_bytes, peak = 0, self.start_bytes, self.ends_bytes
        for index in order:
            during, live_bytes = self.tasks[index].run(done, index, live_bytes)
            done, peak = done | 1 << index, max(peak, during)
        return peak


def order_problem(schedule: Schedule) -> OrderProblem:
    """The problem of a schedule; views count as their bases, constants as nothing."""
    return _Builder(schedule).problem()


class _Builder:
    """Who makes, who reads and who keeps every stored value."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.views = {view.value.name: view for view in schedule.views}
        self.constants = {value.name for value, _ in schedule.constant_values}
        self.makers = {v.name: 1 << i for i, step in enumerate(schedule.steps) for v in step.node.outputs}
        self.kept = {self._base(value).name for value in schedule.outputs}
        self.readers: dict[str, int] = {}
        for index, step in enumerate(schedule.steps):
            for base in self._bases(step):
                self.readers[base.name] = self.readers.get(base.name, 0) | 1 << index

    def problem(self) -> OrderProblem:
        inputs = self.schedule.inputs
        end_bytes = sum(base.type.size_bytes for base in dict.fromkeys(map(self._base, self.schedule.outputs)))
        return OrderProblem(
            tasks=tuple(map(self._task, self.schedule.steps)),
            values=tuple(self._values()),
            start_bytes=sum(v.type.size_bytes for v in inputs if v.name in self.readers.keys() | self.kept),
            ends_bytes=max(sum(value.type.size_bytes for value in inputs), end_bytes),
        )

    def _values(self) -> Iterator[Stored]:
        """What a step reads or the model keeps; all else is alive at the step that makes it alone."""
        for value in [*self.schedule.inputs, *(value for step in self.schedule.steps for value in step.node.outputs)]:
            readers, kept = self.readers.get(value.name, 0), value.name in self.kept
            if readers or kept:
                maker = self.makers.get(value.name, 0).bit_length() - 1
                yield Stored(value.type.size_bytes, maker, readers, kept)

    def _base(self, value: Value) -> Value:
        return self.views[value.name].base if value.name in self.views else value

    def _bases(self, step: Step) -> Iterator[Value]:
        """The stored values that a step reads, each once."""
        bases = dict.fromkeys(map(self._base, step.node.inputs))
        return (base for base in bases if base.name not in self.constants)

    def _task(self, step: Step) -> Task:
        needs = 0
        for base in self._bases(step):
            needs |= self.makers.get(base.name, 0)
        made = step.node.outputs
        return Task(
            needs=needs,
            made_bytes=sum(value.type.size_bytes for value in made),
            scratch_bytes=sum(step.call.scratch_bytes),
            dropped_bytes=sum(v.type.size_bytes for v in made if v.name not in self.readers.keys() | self.kept),
            operands=tuple(self._operands(step)),
        )

    def _operands(self, step: Step) -> Iterator[Operand]:
        output_bytes = step.node.outputs[0].type.size_bytes
        shared: dict[str, int] = {}
        for each in sharings(step, self.views):
            sizes = (base.type.size_bytes for base in self._bases(step) if base.name == each.base)
            common = max((shared_bytes(each, size, output_bytes) for size in sizes), default=0)
            shared[each.base] = max(shared.get(each.base, 0), common)
        for base in self._bases(step):
            size_bytes = base.type.size_bytes
            yield Operand(size_bytes, self.readers[base.name], base.name in self.kept, shared.get(base.name, 0))
