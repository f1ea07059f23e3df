# SPDX-License-Identifier: Apache-2.0
"""Where a graph can be cut in two, and which parts between two cuts can run in stripes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stowage.ir.graph import Graph, Value
from stowage.ir.ops.fed_rows import FeedRows
from stowage.ir.ops.movement import Constant
from stowage.tiles.row_rules import can_be_cut, is_image, striped_rows
from stowage.tiles.stripes import worked


@dataclass(frozen=True, slots=True)
class CutPoint:
    """A place before node `index` at which one value alone has been made (or is an input) and is still to be read.

    Attributes:
        index: among the nodes that are no constants.
        value: the value.
        is_fed: whether the node is what the caller feeds the value's rows to.
    """

    index: int
    value: Value
    is_fed: bool = False

    @property
    def size_bytes(self) -> int:
        """What the value takes there: nothing yet, where rows of it are fed."""
        return 0 if self.is_fed else self.value.type.size_bytes


def cut_points(graph: Graph) -> tuple[CutPoint, ...]:
    """All places at which a graph can be cut, the first before its first node, the last after its last."""
    last = _last_uses(graph)
    alive = {value.name: value for value in graph.inputs}
    points = []
    for index, node in enumerate((*worked(graph), None)):
        alive = {name: value for name, value in alive.items() if last.get(name, -1) >= index}
        if len(alive) == 1:
            is_fed = node is not None and isinstance(node.op, FeedRows)
            points.append(CutPoint(index, next(iter(alive.values())), is_fed))
        if node is not None:
            alive |= {value.name: value for value in node.outputs}
    return tuple(points)


def _last_uses(graph: Graph) -> dict[str, int]:
    """By value the last node that reads it, or one after all nodes for outputs."""
    work = worked(graph)
    last = {value.name: index for index, node in enumerate(work) for value in node.inputs}
    return last | {value.name: len(work) for value in graph.outputs}


def spans(graph: Graph) -> Iterator[tuple[CutPoint, CutPoint]]:
    """The pairs of cuts between which there are two nodes or more, of which each can be made in parts."""
    work = worked(graph)
    constants = {node.output.name for node in graph.nodes if isinstance(node.op, Constant)}
    able = [can_be_cut(node, lambda value: value.name in constants) for node in work]
    never = {name for pair in graph.states for name in pair}
    never |= {node.output.name for node in work if isinstance(node.op, FeedRows)}
    points = [each for each in cut_points(graph) if is_image(each.value.type) and each.value.name not in never]
    for place, begin in enumerate(points):
        for end in points[place + 1 :]:
            if not all(able[begin.index : end.index]):
                break
            if end.index - begin.index > 1 and striped_rows(work[end.index - 1]) > 1:
                yield begin, end
