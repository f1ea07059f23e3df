# SPDX-License-Identifier: Apache-2.0
"""Schedule to Problem: when each value and scratch buffer lives, and what may be made in place."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.ir.graph import Value
from stowage.memory.problem import Buffer, InPlace, Problem
from stowage.schedule.in_place import sharings
from stowage.schedule.schedule import Schedule, Step
from stowage.target.kernels.kernel import Direction

VALUE_ALIGNMENT_BYTES = 8
"""Every tensor starts at a multiple of this, so that kernels may read whole words and doubles."""


def lives(schedule: Schedule) -> Problem:
    """The buffers of a schedule. A view lives as part of its base; constants need no buffer.

    A state has one buffer, its input's, which nothing else may touch at any time.
    """
    first, last = moments(schedule)
    last |= {state.held.name: len(schedule.steps) + 1 for state in schedule.states}
    kept = kept_bases(schedule)
    buffers = [
        Buffer(value.name, max(1, value.type.size_bytes), VALUE_ALIGNMENT_BYTES, first[value.name], last[value.name])
        for value in _stored_values(schedule)
        if value.name not in kept
    ]
    buffers += [scratch for moment, step in enumerate(schedule.steps, 1) for scratch in _scratch(step, moment)]
    return Problem(tuple(buffers), tuple(pair for pair in _in_place(schedule, last) if pair.output not in kept))


def kept_bases(schedule: Schedule) -> dict[str, str]:
    """By the value that is made over a state's bytes: the state's input."""
    bases = base_names(schedule)
    return {bases.get(state.kept.name, state.kept.name): state.held.name for state in schedule.states}


def base_names(schedule: Schedule) -> dict[str, str]:
    """For each view, the name of the value whose bytes it is."""
    return {view.value.name: view.base.name for view in schedule.views}


def scratch_name(step: Step, index: int) -> str:
    """The name of a step's scratch buffer."""
    return f"{step.node.name}.scratch{index}"


def _stored_values(schedule: Schedule) -> Iterator[Value]:
    """An input without elements is stored nowhere; no step makes such a value."""
    yield from (value for value in schedule.inputs if value.type.elements)
    for step in schedule.steps:
        yield from step.node.outputs


def moments(schedule: Schedule) -> tuple[dict[str, int], dict[str, int]]:
    """First and last moment of every stored value by name, in one run. An input that no step reads lives while it is
    written."""
    bases = base_names(schedule)
    first = {value.name: 0 for value in schedule.inputs}
    last = dict(first)
    for moment, step in enumerate(schedule.steps, 1):
        for value in step.node.outputs:
            first[value.name] = last[value.name] = moment
        for value in step.node.inputs:
            base = bases.get(value.name, value.name)
            if base in first:
                last[base] = moment
    for value in schedule.outputs:
        last[bases.get(value.name, value.name)] = len(schedule.steps) + 1
    return first, last


def _scratch(step: Step, moment: int) -> Iterator[Buffer]:
    for index, size_bytes in enumerate(step.call.scratch_bytes):
        alignment = step.call.scratch_alignment_bytes
        yield Buffer(scratch_name(step, index), max(1, size_bytes), alignment, moment, moment)


def _in_place(schedule: Schedule, last: dict[str, int]) -> Iterator[InPlace]:
    views = {view.value.name: view for view in schedule.views}
    for moment, step in enumerate(schedule.steps, 1):
        for each in sharings(step, views):
            if last.get(each.base) == moment:
                forward = each.direction is Direction.FORWARD
                yield InPlace(step.node.outputs[0].name, each.base, each.distance_bytes, forward)
