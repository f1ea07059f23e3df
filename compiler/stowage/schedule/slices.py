# SPDX-License-Identifier: Apache-2.0
"""A slice that takes consecutive elements is a view: no step needs to copy them."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Value
from stowage.ir.ops.movement import Slice
from stowage.schedule.schedule import Schedule, View, in_base_order, storage
from stowage.target.kernels.axes import row_major_strides


def slice_as_view(schedule: Schedule, index: int) -> Schedule | None:
    """The schedule without its step `index`, whose output is a view of what it slices; None where it cannot be one.

    It can't where the elements are not consecutive, where they are a state's, which the end of a run overwrites, where
    the slice is what a state keeps, and where it is an output that would share bytes with an input or another output.
    """
    node = schedule.steps[index].node
    if not isinstance(node.op, Slice) or not _is_run(node.op, node.inputs[0].type.shape):
        return None
    view = _view(schedule, node.op, node.inputs[0], node.output)
    if not _may_be(schedule, view):
        return None
    others = (_rebased(each, view) for each in schedule.views)
    steps = (*schedule.steps[:index], *schedule.steps[index + 1 :])
    views = in_base_order((*others, view), schedule.inputs, steps, schedule.joins)
    return replace(schedule, steps=steps, views=views)


def _is_run(op: Slice, shape: tuple[int, ...]) -> bool:
    """Whether the slice takes part of one axis at most, in steps of one, and one place of each axis before that."""
    first = next((axis for axis, count in enumerate(op.shape) if count > 1), len(shape) - 1)
    whole = op.shape[first + 1 :] == shape[first + 1 :]
    return whole and all(step == 1 for step, count in zip(op.steps, op.shape, strict=True) if count > 1)


def _view(schedule: Schedule, op: Slice, source: Value, value: Value) -> View:
    strides = row_major_strides(source.type.shape)
    begin = sum(place * stride for place, stride in zip(op.begins, strides, strict=True))
    seen = next((each for each in schedule.views if each.value == source), View(source, source))
    return View(value, seen.base, seen.offset_bytes + begin * source.type.dtype.size_bytes)


def _rebased(each: View, view: View) -> View:
    if each.base != view.value:
        return each
    return View(each.value, view.base, view.offset_bytes + each.offset_bytes)


def _may_be(schedule: Schedule, view: View) -> bool:
    within = storage(schedule)
    if view.value.name in within:  # the slice is made in its place in a join
        return False
    stored = within[view.base.name].base if view.base.name in within else view.base
    outputs = {within[value.name].base if value.name in within else value for value in schedule.outputs}
    kept = {within[each.kept.name].base if each.kept.name in within else each.kept for each in schedule.states}
    if stored in {state.held for state in schedule.states} or view.value in kept:
        return False
    return view.value not in outputs or (stored not in outputs and stored not in schedule.inputs)
