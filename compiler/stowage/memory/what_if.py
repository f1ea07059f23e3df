# SPDX-License-Identifier: Apache-2.0
"""What the arena would be if the model were another: the same steps, planned anew with buffers of other sizes.

The figures are estimates. The steps stay in their order, and a kernel's safe distance is taken to shrink with its
tensors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.memory.conflicts import conflicts_of
from stowage.memory.greedy import Offsets, peak_bytes, placed_in_order
from stowage.memory.lives import lives
from stowage.memory.peak import peak_of
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import place
from stowage.memory.problem import InPlace, Problem
from stowage.schedule.schedule import Schedule

_SMALL = 150
"""Buffers up to which an estimate is left to the planner."""
_WORK_LIMIT = 2_000
"""Places that the planner may then try."""
_NAMED = 2
"""Tensors that a change names; of more it gives the number."""
_WORTH = Fraction(1, 50)
"""The least part of the arena that a change saves which is told."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A change of the model and what it would do.

    Attributes:
        change: what would be done.
        arena_bytes: what the arena would then take, about.
        peak_step: the step that would then make the peak, or "inputs" or "outputs".
    """

    change: str
    arena_bytes: int
    peak_step: str


def what_would_help(plan: Plan) -> tuple[WhatIf, ...]:
    """The changes that would make the arena smaller by a part that matters, the one that helps most first."""
    helpful = (each for each in _changes(plan) if plan.arena_bytes - each.arena_bytes >= _WORTH * plan.arena_bytes)
    return tuple(sorted(helpful, key=lambda each: each.arena_bytes))


def without_peak(plan: Plan) -> WhatIf:
    """What would remain if what is alive at the peak took no bytes: however small that becomes, this stays."""
    crowd = {placed.buffer.name for placed in peak_of(plan).live}
    return _estimated(plan, "nothing of what is alive at the peak", crowd, Fraction(0))


def _changes(plan: Plan) -> Iterator[WhatIf]:
    values = _values(plan.schedule)
    floats = {name for name, value in values.items() if value.type.dtype is DType.F32}
    if floats == values.keys():
        everything = {placed.buffer.name for placed in plan.placed}
        yield _estimated(plan, 'quantize = "int8"', everything, Fraction(1, 4))
    outer = {value.name: value.type.size_bytes for value in (*plan.schedule.inputs, *plan.schedule.outputs)}
    ports = {name: size for name, size in outer.items() if name in floats}
    if ports and floats != values.keys():
        yield _estimated(plan, f"int8 instead of float32 for {_told(ports)}", ports, Fraction(1, 4))
    inner = {name: value.type.size_bytes for name, value in values.items() if name in floats - ports.keys()}
    if inner and floats != values.keys():
        between = f"int8 instead of float32 between quantised layers, for {_told(inner)}"
        yield _estimated(plan, between, inner, Fraction(1, 4))
    if len(plan.schedule.inputs) == 1 and _is_image(plan.schedule.inputs[0]):
        images = {name for name, value in values.items() if _is_image(value)}
        yield _estimated(plan, "an input of half the height and half the width", images, Fraction(1, 4))
    widest = _widest(plan, values)
    yield _estimated(
        plan, f"half the elements (channels, rows or columns) of {_told(widest)}", widest.keys(), Fraction(1, 2)
    )


def _widest(plan: Plan, values: Mapping[str, Value]) -> dict[str, int]:
    """The tensors with their bytes that make the peak, the two largest of it, and all that are as large as these."""
    sizes = {placed.buffer.name: placed.buffer.size_bytes for placed in plan.placed if placed.buffer.name in values}
    crowd = [placed.buffer.size_bytes for placed in peak_of(plan).live if placed.buffer.name in values]
    least = min(crowd[:_NAMED], default=0)
    return {name: size for name, size in sizes.items() if size >= least}


def _values(schedule: Schedule) -> dict[str, Value]:
    """All values by name, whether they have a buffer of their own or lie in another's."""
    made = (value for step in schedule.steps for value in step.node.outputs)
    return {value.name: value for value in (*schedule.inputs, *made, *(join.whole for join in schedule.joins))}


def _is_image(value: Value) -> bool:
    """Whether a tensor has height and width: two axes beside the first and the channels that are longer than 1."""
    return len(value.type.shape) == 4 and sorted(value.type.shape[1:])[1] > 1


def _told(tensors: Mapping[str, int]) -> str:
    if len(tensors) <= _NAMED:
        return " and ".join(f'"{name}"' for name in tensors)
    return f"all {len(tensors)} tensors of {min(tensors.values()):,} B or more"


def _estimated(plan: Plan, change: str, names: Collection[str], part: Fraction) -> WhatIf:
    problem = _shrunk(lives(plan.schedule), names, part)
    offsets = _offsets(plan, problem)
    places = zip(problem.buffers, offsets, strict=True)
    placed = tuple(Placed(buffer, plan.placed[0].region, offset_bytes) for buffer, offset_bytes in places)
    arena_bytes = max(each.end_bytes for each in placed)
    return WhatIf(change, arena_bytes, peak_of(replace(plan, placed=placed)).step)


def _offsets(plan: Plan, problem: Problem) -> Offsets:
    """Places for an estimate: those of the planner, or in a large problem the best of a few orders."""
    if len(problem.buffers) <= _SMALL:
        return place(problem, work_limit=_WORK_LIMIT).offsets_bytes
    conflicts = conflicts_of(problem)
    trials = (placed_in_order(conflicts, order) for order in _orders(plan, problem))
    return min(trials, key=lambda each: peak_bytes(conflicts, each))


def _orders(plan: Plan, problem: Problem) -> Iterator[list[int]]:
    """From the plan's lowest buffer up, the largest first, the newest first."""
    offsets = {placed.buffer.name: placed.offset_bytes for placed in plan.placed}
    buffers, numbers = problem.buffers, range(len(problem.buffers))
    yield sorted(numbers, key=lambda index: (offsets[buffers[index].name], -buffers[index].first))
    yield sorted(numbers, key=lambda index: (-buffers[index].size_bytes, -buffers[index].first))
    yield sorted(numbers, key=lambda index: -buffers[index].first)


def _shrunk(problem: Problem, names: Collection[str], part: Fraction) -> Problem:
    """The problem with that part of some buffers, at least a byte of each."""
    sizes = {buffer.name: buffer.size_bytes for buffer in problem.buffers}
    sizes |= {name: max(1, -int(-sizes[name] * part // 1)) for name in names if name in sizes}
    buffers = tuple(replace(buffer, size_bytes=sizes[buffer.name]) for buffer in problem.buffers)
    return replace(problem, buffers=buffers, in_place=tuple(_scaled(p, names, part, sizes) for p in problem.in_place))


def _scaled(pair: InPlace, names: Collection[str], part: Fraction, sizes: Mapping[str, int]) -> InPlace:
    """Where both tensors shrink, so does their distance; where only one does, they share nothing."""
    shrinks = {name in names for name in (pair.output, pair.input)}
    if shrinks == {False}:
        return pair
    if shrinks == {True}:
        return replace(pair, distance_bytes=-int(-pair.distance_bytes * part // 1))
    return replace(pair, distance_bytes=max(sizes[pair.output], sizes[pair.input]))
