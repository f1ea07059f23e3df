# SPDX-License-Identifier: Apache-2.0
"""What a segment takes in stripes, reckoned from its nodes alone: bytes alive at once, and bytes that are copied.

The search asks this of hundreds of segments, so that it looks at sizes and lives only, and leaves kernels' scratch out;
the planner has the last word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from stowage.ir.graph import Node, Value
from stowage.ir.ops.movement import Slice
from stowage.passes.fresh_names import FreshNames
from stowage.tiles.cuts import CutPoint
from stowage.tiles.row_rules import ROWS
from stowage.tiles.stripes import Striped, striped
from stowage.tiles.tiling import Segment


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a segment takes.

    Attributes:
        peak_bytes: the most bytes alive at one moment, its input and output among them.
        copied_bytes: what is carried from window to window.
        steps: kernel calls.
    """

    peak_bytes: int
    copied_bytes: int
    steps: int


def estimated(work: Sequence[Node], segment: Segment, begin: CutPoint) -> Estimate:
    """The estimate for a segment of a graph, whose nodes are given, that begins at a cut."""
    part = striped(work, segment, FreshNames(()))
    stored = _Stored(part, begin)
    steps = [node for node in part.nodes if node.outputs[0].name not in part.views | part.joins]
    changes = stored.read(steps)
    for name, (first, last) in stored.lives(steps).items():
        changes[first] += stored.sizes_bytes[name]
        if name != begin.value.name:  # of which each row dies by itself
            changes[max(first, last) + 1] -= stored.sizes_bytes[name]
    copied = sum(node.output.type.size_bytes for node in steps if node.output.name in part.carried)
    return Estimate(max(accumulate(changes)), copied, len(steps))


class _Stored:
    """Which bytes are whose: pieces are their window's, rows that are seen are their source's."""

    def __init__(self, part: Striped, begin: CutPoint) -> None:
        self._part, source = part, begin.value
        self._base: dict[str, str] = {}
        self.sizes_bytes = {source.name: begin.size_bytes}
        *nodes, last = part.nodes
        self._stripes = {value.name for value in last.inputs} if last.output.name in part.joins else {last.output.name}
        self.sizes_bytes[last.output.name] = last.output.type.size_bytes
        for node in nodes:
            output = node.output
            if output.name in part.joins:
                self._base |= {value.name: output.name for value in node.inputs}
            if output.name in part.views:
                self._base[output.name] = node.inputs[0].name
            self.sizes_bytes[output.name] = output.type.size_bytes
        self._source = source

    def base(self, value: Value) -> str:
        """The name of the value in whose bytes another one lies."""
        name = value.name
        while name in self._base:
            name = self._base[name]
        return name

    def lives(self, steps: Sequence[Node]) -> dict[str, tuple[int, int]]:
        """The first and last step of each stored value. What is carried over may lie where it was; each stripe of the
        output is by itself, since the next may lie over rows of the source that are still to be read."""
        lives: dict[str, tuple[int, int]] = {}
        for index, node in enumerate(steps):
            made = self.base(node.output)
            lives[made] = (lives.get(made, (index, index))[0], index)
            last = index - 1 if node.output.name in self._part.carried else index
            for read in {self.base(value) for value in node.inputs} & self.sizes_bytes.keys():
                first, until = lives.get(read, (0, -1))
                lives[read] = (first, max(until, last))
        return lives | {name: (lives[name][0], len(steps) - 1) for name in self._stripes}

    def read(self, steps: Sequence[Node]) -> list[int]:
        """By step how many bytes of the source have died before it, below zero, and one step more."""
        seen = {node.output.name: node.op for node in self._part.nodes if node.output.name in self._part.views}
        size_bytes = self.sizes_bytes[self._source.name]
        row_bytes = size_bytes // self._source.type.shape[ROWS]
        heads = [size_bytes] * (len(steps) + 1)
        for index, node in enumerate(steps):
            for value in node.inputs:
                if self.base(value) == self._source.name:
                    op = seen.get(value.name)
                    heads[index] = min(heads[index], op.begins[ROWS] * row_bytes if isinstance(op, Slice) else 0)
        for index in reversed(range(len(steps))):
            heads[index] = min(heads[index], heads[index + 1])
        return [before - after for before, after in zip([0, *heads], heads, strict=False)]
