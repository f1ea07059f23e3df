# SPDX-License-Identifier: Apache-2.0
"""Schedule to Problem: when each value and scratch buffer lives, and what may be made in place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from stowage.ir.graph import Value
from stowage.memory.consumed import made_over_what_is_read
from stowage.memory.problem import Buffer, InPlace, Problem
from stowage.schedule.in_place import of_one_walk, sharings
from stowage.schedule.schedule import Schedule, Step, Transfer, View, storage
from stowage.target.kernels.kernel import Direction

VALUE_ALIGNMENT_BYTES = 8
"""Every tensor starts at a multiple of this, so that kernels may read whole words and doubles."""
STAGING_ALIGNMENT_BYTES = 32
"""So does what a transfer brings, at the start of a line of a data cache: no line of it is a neighbour's."""


def lives(schedule: Schedule) -> Problem:
    """The buffers of a schedule. A view lives as part of its base, a part as part of its whole, which lives from the
    moment on at which the first of its parts is made; constants need no buffer.

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
    buffers += [_staging(schedule, transfer) for transfer in schedule.transfers]
    buffers += [scratch for moment, step in enumerate(schedule.steps, 1) for scratch in _scratch(step, moment)]
    pairs = [pair for pair in _in_place(schedule, last) if pair.output not in kept]
    return Problem(tuple(buffers), (*pairs, *made_over_what_is_read(schedule, tuple(buffers))))


def kept_bases(schedule: Schedule) -> dict[str, str]:
    """By the value that is made over a state's bytes: the state's input."""
    within = storage(schedule)
    return {_stored(state.kept, within).name: state.held.name for state in schedule.states}


def _stored(value: Value, within: Mapping[str, View]) -> Value:
    """The value whose buffer holds this one."""
    return within[value.name].base if value.name in within else value


def scratch_name(step: Step, index: int) -> str:
    """The name of a step's scratch buffer."""
    return f"{step.node.name}.scratch{index}"


def _stored_values(schedule: Schedule) -> Iterator[Value]:
    """An input without elements is stored nowhere; no step makes such a value."""
    within = storage(schedule)
    made = [value for step in schedule.steps for value in step.node.outputs]
    yield from (value for value in schedule.inputs if value.type.elements)
    yield from dict.fromkeys(_stored(value, within) for value in made)


def moments(schedule: Schedule) -> tuple[dict[str, int], dict[str, int]]:
    """First and last moment of every stored value by name, in one run. An input that no step reads lives while it is
    written."""
    within = storage(schedule)
    first = {value.name: 0 for value in schedule.inputs}
    last = dict(first)
    for moment, step in enumerate(schedule.steps, 1):
        for value in step.node.outputs:
            stored = _stored(value, within).name
            first.setdefault(stored, moment)
            last[stored] = moment
        for value in step.node.inputs:
            stored = _stored(value, within).name
            if stored in first:
                last[stored] = moment
    for value in schedule.outputs:
        last[_stored(value, within).name] = len(schedule.steps) + 1
    return first, last


def _scratch(step: Step, moment: int) -> Iterator[Buffer]:
    for index, size_bytes in enumerate(step.call.scratch_bytes):
        alignment = step.call.scratch_alignment_bytes
        yield Buffer(scratch_name(step, index), max(1, size_bytes), alignment, moment, moment)


def _staging(schedule: Schedule, transfer: Transfer) -> Buffer:
    """Where a transfer brings its constant: nobody else's from its start until its last reader is done."""
    size_bytes = max(1, schedule.transferred(transfer).nbytes)
    return Buffer(transfer.buffer, size_bytes, STAGING_ALIGNMENT_BYTES, transfer.start, transfer.readers[-1])


def _in_place(schedule: Schedule, last: dict[str, int]) -> Iterator[InPlace]:
    within, early = storage(schedule), _EarlyParts(schedule)
    for moment, step in enumerate(schedule.steps, 1):
        output = step.node.outputs[0].name
        dying = [each for each in sharings(step, within) if last.get(each.base) == moment]
        for each in of_one_walk(step, dying, within):
            forward = each.direction is Direction.FORWARD
            pair = InPlace(output, each.base, each.distance_bytes, forward)
            if output not in within:
                yield pair
            elif each.base != within[output].base.name and early.allow(within[output], moment, forward):
                yield _of_whole(pair, within[output])


def _of_whole(pair: InPlace, part: View) -> InPlace:
    """What a part may overlap, as a demand on the place of its whole: the operand stays clear of earlier parts."""
    after_bytes = part.base.type.size_bytes - part.offset_bytes - part.value.type.size_bytes
    shift_bytes = part.offset_bytes if pair.forward else after_bytes
    return replace(pair, output=part.base.name, distance_bytes=max(0, pair.distance_bytes) + shift_bytes)


class _EarlyParts:
    """Which parts of a whole hold their data while another one is made over an operand that reaches beyond its end."""

    def __init__(self, schedule: Schedule) -> None:
        self._joins = {join.whole.name: join for join in schedule.joins}
        self._made = {v.name: moment for moment, step in enumerate(schedule.steps, 1) for v in step.node.outputs}

    def allow(self, part: View, moment: int, forward: bool) -> bool:
        """Whether no part that was made until then lies on the side on which the operand may reach out."""
        parts = self._joins[part.base.name].parts
        place = parts.index(part.value)
        beyond = parts[place + 1 :] if forward else parts[:place]
        return all(self._made[each.name] > moment for each in beyond)
