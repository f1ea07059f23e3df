# SPDX-License-Identifier: Apache-2.0
"""Graph to Graph: the values of a segment are made a few rows at a time, and gone as soon as nobody needs them.

For each stripe of the segment's output the rows that it needs are made, of each value as many as its readers ask for
next. Of a value there is at any time one *window*: the rows that some reader is still to read. When more are asked for,
the rows of the last window that are still needed are carried over (a copy), and the new ones are made behind them, so
that no row is computed twice and windows are consecutive bytes. The pieces are joined where they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.movement import Concat, Constant, Slice
from stowage.ir.ops.pool_rows import PoolMean, PoolSum
from stowage.ir.ops.window import AveragePool2d
from stowage.passes.fresh_names import FreshNames
from stowage.tiles.row_rules import ROWS, cut, rows_of, summed_pool
from stowage.tiles.tiling import Segment, Tiling


@dataclass(frozen=True, slots=True)
class Striped:
    """A graph, or a segment, in stripes.

    Attributes:
        nodes: what is computed, in the order in which few bytes are alive.
        views: names of rows that are read where they lie.
        carried: names of rows that are copied from one window to the next.
        joins: names of values that lie in the pieces that they are concatenated of.
        sources: names of values made elsewhere that are read from the first row to the last.
    """

    nodes: tuple[Node, ...]
    views: frozenset[str]
    carried: frozenset[str]
    joins: frozenset[str]
    sources: frozenset[str]


def worked(graph: Graph) -> tuple[Node, ...]:
    """The nodes that do something at run time, which are what a tiling counts."""
    return tuple(node for node in graph.nodes if not isinstance(node.op, Constant))


def striped_graph(graph: Graph, tiling: Tiling) -> tuple[Graph, Striped]:
    """The graph with the segments of a tiling in stripes, whose results are the same to the bit; and what it is."""
    work = worked(graph)
    names = FreshNames(_names(graph))
    nodes: list[Node] = [node for node in graph.nodes if isinstance(node.op, Constant)]
    parts, done = [], 0
    for segment in tiling:
        parts.append(striped(work, segment, names))
        nodes += [*work[done : segment.first], *parts[-1].nodes]
        done = segment.end
    nodes += work[done:]
    names_of = {
        kind: frozenset[str]().union(*(getattr(part, kind) for part in parts))
        for kind in ("views", "carried", "joins", "sources")
    }
    return replace(graph, nodes=tuple(nodes)), Striped(tuple(nodes), **names_of)


def striped(work: Sequence[Node], segment: Segment, names: FreshNames) -> Striped:
    """One segment of a graph, whose nodes are given, in stripes."""
    stripes = _Stripes(work[segment.first : segment.end], segment, names)
    nodes = tuple(stripes.nodes())
    names_of = (stripes.views, stripes.carried, stripes.joins, stripes.sources)
    return Striped(nodes, *map(frozenset, names_of))


def _names(graph: Graph) -> Iterator[str]:
    yield from (value.name for value in graph.inputs)
    for node in graph.nodes:
        yield node.name
        yield from (value.name for value in node.outputs)


@dataclass(slots=True)
class _Rows:
    """A value of a segment while it is made: rows [low, made) are in `window`, and nobody needs lower ones."""

    maker: Node
    index: int
    readers: list[tuple[Node, int]]
    low: int = 0
    made: int = 0
    window: Value | None = None

    @property
    def height(self) -> int:
        return self.maker.output.type.shape[ROWS]


class _Stripes:
    """The nodes of one segment in stripes."""

    def __init__(self, part: Sequence[Node], segment: Segment, names: FreshNames) -> None:
        self._segment, self._names = segment, names
        self._rows = {node.output.name: _Rows(node, index, []) for index, node in enumerate(part)}
        for node in part:
            for operand, value in enumerate(node.inputs):
                if value.name in self._rows:
                    self._rows[value.name].readers.append((node, operand))
        self._sink = part[-1].output
        self._summed = 0
        self._nodes: list[Node] = []
        self.views: list[str] = []
        self.carried: list[str] = []
        self.joins: list[str] = []
        self.sources: list[str] = []

    def nodes(self) -> list[Node]:
        """All nodes; the last one makes the output of its stripes."""
        sink = self._rows[self._sink.name]
        pool = summed_pool(sink.maker)
        if pool is not None:
            self._sum_up(sink.maker, pool)
            return self._nodes
        pieces = []
        while sink.made < sink.height:
            pieces.append(self._make(sink, min(sink.made + self._segment.stripe_rows, sink.height)))
        self._join(pieces, self._sink)
        return self._nodes

    def _sum_up(self, node: Node, pool: AveragePool2d) -> None:
        """The mean of an image, of which there is never more than a stripe."""
        (source,) = node.inputs
        sums: tuple[Value, ...] = ()
        while self._summed < source.type.shape[ROWS]:
            end = min(self._summed + self._segment.stripe_rows, source.type.shape[ROWS])
            self._demand(source, end)
            operands = (self._seen(source, self._summed, end), *sums)
            (type_,) = PoolSum().result_types(tuple(value.type for value in operands))
            made = Value(self._names.take(f"{node.output.name}.summed{end}"), type_)
            self._nodes.append(Node(self._names.take(f"{node.name}.rows_to{end}"), PoolSum(), operands, (made,)))
            self._summed, sums = end, (made,)
        self._nodes.append(Node(node.name, PoolMean(pool), sums, node.outputs))

    def _demand(self, value: Value, end: int) -> None:
        """Has the rows of a value below `end` in its window, if they are not there yet."""
        rows = self._rows.get(value.name)
        if rows is None or rows.made >= end:
            return
        low = min(rows.made, self._still_needed(rows))
        pieces = list(self._carried(rows, low))
        while rows.made < end:
            pieces.append(self._make(rows, min(rows.made + self._segment.piece_rows, end)))
        rows.low = low
        window = Value(self._names.take(f"{value.name}.rows{low}_{end}"), rows_of(value.type, end - low))
        rows.window = pieces[0] if len(pieces) == 1 else self._join(pieces, window)

    def _still_needed(self, rows: _Rows) -> int:
        """The lowest row that some reader has yet to read."""
        needed = rows.height
        for node, operand in rows.readers:
            if summed_pool(node) is not None and node.output == self._sink:
                needed = min(needed, self._summed)
                continue
            made = self._rows[node.output.name]
            if made.made < made.height:
                needed = min(needed, cut(node, made.made, made.made + 1).reads[operand][0])
        return needed

    def _carried(self, rows: _Rows, low: int) -> Iterator[Value]:
        if low < rows.made and rows.window is not None:
            name = self._names.take(f"{rows.maker.output.name}.carried{low}_{rows.made}")
            self.carried.append(name)
            yield self._slice(rows.window, low - rows.low, rows.made - rows.low, name)

    def _make(self, rows: _Rows, end: int) -> Value:
        """The next rows of a value, once what they need is there: first of what depends on the others."""
        node, first = rows.maker, rows.made
        how = cut(node, first, end)
        reads = how.reads
        for index in sorted(reads, key=lambda each: -self._depth(node.inputs[each])):
            self._demand(node.inputs[index], reads[index][1])
        operands = tuple(
            self._seen(value, *reads[index]) if index in reads else value for index, value in enumerate(node.inputs)
        )
        piece = Value(self._names.take(f"{node.output.name}.made{first}_{end}"), rows_of(node.output.type, end - first))
        self._nodes.append(Node(self._names.take(f"{node.name}.rows{first}_{end}"), how.op, operands, (piece,)))
        rows.made = end
        return piece

    def _depth(self, value: Value) -> int:
        return self._rows[value.name].index if value.name in self._rows else -1

    def _seen(self, value: Value, first: int, end: int) -> Value:
        """Rows of a value, of one that is made outside of the segment or of a window."""
        rows = self._rows.get(value.name)
        source, low = (value, 0) if rows is None or rows.window is None else (rows.window, rows.low)
        if rows is None:
            self.sources.append(value.name)
        if (first, end) == (low, low + source.type.shape[ROWS]):
            return source
        name = self._names.take(f"{value.name}.seen{first}_{end}")
        self.views.append(name)
        return self._slice(source, first - low, end - low, name)

    def _slice(self, source: Value, first: int, end: int, name: str) -> Value:
        seen = Value(name, rows_of(source.type, end - first))
        op = Slice((0, first, 0, 0), seen.type.shape, (1, 1, 1, 1))
        self._nodes.append(Node(self._names.take(name), op, (source,), (seen,)))
        return seen

    def _join(self, pieces: list[Value], whole: Value) -> Value:
        self.joins.append(whole.name)
        self._nodes.append(Node(self._names.take(whole.name), Concat(ROWS), tuple(pieces), (whole,)))
        return whole
