# SPDX-License-Identifier: Apache-2.0
"""Striped graph to Schedule: rows are read where they lie and made where they belong; the order is the graph's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from stowage.ir.graph import Graph, Node
from stowage.ir.ops.fed_rows import FeedRows
from stowage.ir.ops.movement import Slice
from stowage.schedule.schedule import Join, Schedule, View, in_base_order
from stowage.schedule.select import select
from stowage.target.kernels.axes import row_major_strides
from stowage.tiles.stripes import Striped


def schedule_stripes(graph: Graph, striped: Striped, features: frozenset[str]) -> Schedule:
    """The steps of a graph, and what of it is in stripes.

    Raises:
        UnsupportedModel: no kernel computes one of the nodes.
    """
    stepless = striped.views | striped.joins
    schedule = select(graph, features, stepless)
    views = {view.value.name: view for view in schedule.views}
    joins: list[Join] = []
    for node in (node for node in graph.nodes if node.outputs[0].name in stepless):
        if isinstance(node.op, Slice):
            views[node.output.name] = _view(node, node.op, views)
        else:
            joins.append(Join(node.output, node.inputs))
    ordered = in_base_order(views.values(), schedule.inputs, schedule.steps, joins)
    return _fed(replace(schedule, views=ordered, joins=tuple(joins), consumed=tuple(sorted(striped.sources))))


def _fed(schedule: Schedule) -> Schedule:
    """The schedule without the input that the caller feeds by rows, if it does: no step finds it in the arena."""
    sources = {value for step in schedule.steps if isinstance(step.node.op, FeedRows) for value in step.node.inputs}
    if not sources:
        return schedule
    (fed,) = sources
    steps = (
        replace(step, node=replace(step.node, inputs=())) if step.node.inputs == (fed,) else step
        for step in schedule.steps
    )
    return replace(
        schedule, inputs=tuple(value for value in schedule.inputs if value != fed), steps=tuple(steps), fed=fed
    )


def _view(node: Node, op: Slice, views: Mapping[str, View]) -> View:
    source = node.inputs[0]
    strides = row_major_strides(source.type.shape)
    begin = sum(place * stride for place, stride in zip(op.begins, strides, strict=True))
    seen = views.get(source.name, View(source, source))
    return View(node.output, seen.base, seen.offset_bytes + begin * source.type.dtype.size_bytes)
