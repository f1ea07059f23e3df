# SPDX-License-Identifier: Apache-2.0
"""Striped graph to Schedule: rows are read where they lie and made where they belong; the order is the graph's."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.ops.movement import Slice
from stowage.schedule.schedule import Join, Schedule, Step, View, in_base_order
from stowage.schedule.select import select
from stowage.target.kernels.axes import row_major_strides
from stowage.tiles.stripes import Striped


def schedule_stripes(striped: Striped, features: frozenset[str]) -> Schedule:
    """The steps of a graph in stripes.

    Raises:
        UnsupportedModel: no kernel computes one of the nodes.
    """
    schedule = select(striped.graph, features)
    views = {view.value.name: view for view in schedule.views}
    steps: list[Step] = []
    joins: list[Join] = []
    for step in schedule.steps:
        name = step.node.outputs[0].name
        if name in striped.views:
            views[name] = _view(step, views)
        elif name in striped.joins:
            joins.append(Join(step.node.output, step.node.inputs))
        else:
            steps.append(step)
    ordered = in_base_order(views.values(), schedule.inputs, steps, joins)
    return replace(schedule, steps=tuple(steps), views=ordered, joins=tuple(joins))


def _view(step: Step, views: dict[str, View]) -> View:
    op, source = step.node.op, step.node.inputs[0]
    assert isinstance(op, Slice)
    strides = row_major_strides(source.type.shape)
    begin = sum(place * stride for place, stride in zip(op.begins, strides, strict=True))
    seen = views.get(source.name, View(source, source))
    return View(step.node.output, seen.base, seen.offset_bytes + begin * source.type.dtype.size_bytes)
