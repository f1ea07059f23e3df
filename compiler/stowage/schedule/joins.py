# SPDX-License-Identifier: Apache-2.0
"""A concat along the outermost axis needs no step where its operands are made side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.movement import Concat, Reshape
from stowage.schedule.schedule import Join, Schedule, Step, fresh_name, in_base_order, join_moments, storage
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import Site


def concat_as_join(schedule: Schedule, index: int) -> Schedule | None:
    """The schedule without its step `index`, whose operands are made where they belong; None where none can be.

    An operand that cannot be made there is copied: an input, a constant, an output, a part of a larger value, one that
    is a part already, here or elsewhere.
    """
    node = schedule.steps[index].node
    if not isinstance(node.op, Concat) or not _is_side_by_side(node, node.op) or is_bound(schedule, node.output):
        return None
    parts = _parts(schedule, node.inputs)
    if not any(parts):
        return None
    copies = [_copy(schedule, node, place) for place, part in enumerate(parts) if part is None]
    made = iter(step.node.output for step in copies)
    join = Join(node.output, tuple(part or next(made) for part in parts))
    return in_reading_order(
        replace(
            schedule,
            steps=(*schedule.steps[:index], *copies, *schedule.steps[index + 1 :]),
            joins=(*schedule.joins, join),
        )
    )


def in_reading_order(schedule: Schedule) -> Schedule:
    """The same with joins and views in the order in which they can be read."""
    moments = join_moments(schedule)
    joins = tuple(sorted(schedule.joins, key=lambda join: moments[join.whole.name]))
    views = in_base_order(schedule.views, schedule.inputs, schedule.steps, joins)
    return replace(schedule, joins=joins, views=views)


def _is_side_by_side(node: Node, op: Concat) -> bool:
    """Whether the output is its operands one after the other."""
    outer = node.output.type.shape[: op.axis]
    return len(node.inputs) > 1 and set(outer) <= {1} and all(value.type.elements for value in node.inputs)


def is_bound(schedule: Schedule, value: Value) -> bool:
    """Whether the place of a value is another's: it is a part, or what a state keeps."""
    within = storage(schedule)
    kept = {state.kept for state in schedule.states}
    return value.name in within or value in {within[each.name].base if each.name in within else each for each in kept}


def _parts(schedule: Schedule, operands: Sequence[Value]) -> list[Value | None]:
    """What holds each operand, where it can be made in its place."""
    within = storage(schedule)
    made = {value for step in schedule.steps for value in step.node.outputs}
    taken = {within[value.name].base if value.name in within else value for value in schedule.outputs}
    holders = list(_holders(schedule, operands))
    times = Counter(holders)
    return [
        holder if holder in made - taken and times[holder] == 1 and holder.name not in within else None
        for holder in holders
    ]


def _holders(schedule: Schedule, operands: Sequence[Value]) -> Iterator[Value]:
    """The values whose bytes the operands are, all of them; the operand itself where it is a part of one."""
    views = {view.value: view for view in schedule.views}
    for value in operands:
        view = views.get(value)
        whole = view is not None and view.base.type.size_bytes == value.type.size_bytes
        yield view.base if view is not None and whole else value


def _copy(schedule: Schedule, node: Node, place: int) -> Step:
    """A step that puts an operand where it belongs."""
    source = node.inputs[place]
    copied = Value(fresh_name(schedule, f"{node.output.name}.part{place}"), source.type)
    move = Node(copied.name, Reshape(copied.type.shape), (source,), (copied,))
    return Step(move, lower(move, Site({}, Arithmetic.ONNX)))
