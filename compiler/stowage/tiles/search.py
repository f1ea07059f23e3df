# SPDX-License-Identifier: Apache-2.0
"""Which segments to run in stripes, and how high: the least work that stays within a budget of bytes, by estimates.

A graph falls apart at its cuts. The way from the first to the last goes over single parts that run as they are, where
they stay within the budget, and segments in stripes; the cheapest way is found cut by cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from stowage.ir.graph import Graph
from stowage.tiles.cost import extra_instructions
from stowage.tiles.cuts import CutPoint, spans
from stowage.tiles.estimate import Estimate, estimated
from stowage.tiles.row_rules import striped_rows
from stowage.tiles.stripes import worked
from stowage.tiles.tiling import Segment, Tiling

_HEIGHTS = ((1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4), (8, 8), (16, 16))
"""Rows of a stripe and of a piece, lowest first: the higher they are, the fewer copies and the more bytes."""


@dataclass(frozen=True, slots=True)
class Found:
    """A tiling and what it is reckoned to take.

    Attributes:
        tiling: the segments.
        peak_bytes: the most bytes alive at one moment.
        instructions: an estimate of what is executed beside what the graph takes as it is.
    """

    tiling: Tiling
    peak_bytes: int
    instructions: int


class TilingSearch:
    """The question for one graph, asked with one budget after another; estimates are made once."""

    def __init__(self, graph: Graph, needs_bytes: Mapping[int, int]) -> None:
        """Of a graph.

        Args:
            graph: its nodes are in the order in which they run.
            needs_bytes: what each of its nodes needs while it runs as it is, by its index; 0 for what is no step.
        """
        self._work = worked(graph)
        self._needs = needs_bytes
        self._spans = _worthwhile(list(spans(graph)))
        self._estimates: dict[Segment, Estimate] = {}

    def cheapest(self, budget_bytes: int) -> Found | None:
        """The tiling with the least work of those within a budget; None where there is none."""
        return self._best(budget_bytes, lambda found: (found.instructions, found.peak_bytes))

    def lowest(self) -> Found:
        """The tiling with the fewest bytes alive, of these one with the least work."""
        found = self._best(None, lambda found: (found.peak_bytes, found.instructions))
        assert found is not None  # nothing in stripes is always one
        return found

    def _best(self, budget_bytes: int | None, key: Callable[[Found], tuple[int, int]]) -> Found | None:
        best: dict[int, Found] = {0: Found((), 0, 0)}
        begins = sorted({begin.index for begin, _ in self._spans} | {end.index for _, end in self._spans})
        places = sorted({0, *begins, len(self._work)})
        for first, after in pairwise(places):
            before = best.get(first)
            if before is None:
                continue
            steps = [(after, None, self._plain(first, after)), *self._segments(first, budget_bytes)]
            for end, segment, (peak, work) in steps:
                if budget_bytes is not None and peak > budget_bytes:
                    continue
                tiling = before.tiling if segment is None else (*before.tiling, segment)
                found = Found(tiling, max(before.peak_bytes, peak), before.instructions + work)
                if end not in best or key(found) < key(best[end]):
                    best[end] = found
        return best.get(len(self._work))

    def _plain(self, first: int, end: int) -> tuple[int, int]:
        return max(self._needs[index] for index in range(first, end)), 0

    def _segments(self, first: int, budget_bytes: int | None) -> Iterator[tuple[int, Segment, tuple[int, int]]]:
        """The segments from a cut on that may be of use."""
        for begin, end in self._spans:
            if begin.index != first or not self._is_useful(begin, end, budget_bytes):
                continue
            for stripe_rows, piece_rows in self._heights(end):
                segment = Segment(first, end.index, stripe_rows, piece_rows)
                estimate = self._estimate(segment, begin)
                yield end.index, segment, (estimate.peak_bytes, extra_instructions(estimate))
                if budget_bytes is None or estimate.peak_bytes > budget_bytes:
                    break

    def _is_useful(self, begin: CutPoint, end: CutPoint, budget_bytes: int | None) -> bool:
        """Whether a segment may be smaller than what it replaces: the larger of its ends is whole at some time.

        Both are not: its output may lie over what has been read of its input.
        """
        larger = max(begin.value.type.size_bytes, end.value.type.size_bytes)
        peak, _ = self._plain(begin.index, end.index)
        return larger < peak if budget_bytes is None else larger <= budget_bytes < peak

    def _heights(self, end: CutPoint) -> Iterator[tuple[int, int]]:
        rows = striped_rows(self._work[end.index - 1])
        return ((stripe, piece) for stripe, piece in _HEIGHTS if stripe < rows)

    def _estimate(self, segment: Segment, begin: CutPoint) -> Estimate:
        if segment not in self._estimates:
            self._estimates[segment] = estimated(self._work, segment, begin)
        return self._estimates[segment]


def _worthwhile(pairs: Sequence[tuple[CutPoint, CutPoint]]) -> list[tuple[CutPoint, CutPoint]]:
    """The spans that begin and end at a value that is no larger than those of the cuts beside it; where the input is
    fed by rows, one at least that begins there."""
    sizes = {point.index: point.value.type.size_bytes for pair in pairs for point in pair}
    order = sorted(sizes)
    low = {
        place
        for number, place in enumerate(order)
        if all(sizes[place] <= sizes[other] for other in order[max(0, number - 1) : number + 2])
    }
    low |= {begin.index for begin, _ in pairs if begin.is_fed}
    kept = [(begin, end) for begin, end in pairs if {begin.index, end.index} <= low]
    return kept if any(begin.is_fed for begin, _ in kept) else [*kept, *(pair for pair in pairs if pair[0].is_fed)]
