# SPDX-License-Identifier: Apache-2.0
"""What is tiled, and how: parts of a graph that run in stripes of rows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """Consecutive nodes of a graph, of whose values only the last one's is ever whole.

    Attributes:
        first: index among the graph's nodes that are no constants.
        end: index after the last; that node's output is the segment's.
        stripe_rows: rows of the output that are made before the next are begun; where it is the mean of an image, rows
            of that.
        piece_rows: rows of a value within that one step makes at most.
    """

    first: int
    end: int
    stripe_rows: int
    piece_rows: int


Tiling = tuple[Segment, ...]
"""Segments in the order of their nodes, none of which is in two."""


def told(tiling: Tiling) -> str:
    """What is in stripes, for instance "11 layers by 2 rows, 4 layers by 1 row"."""
    parts = (
        f"{each.end - each.first} layers by {each.stripe_rows} row{'s' if each.stripe_rows > 1 else ''}"
        for each in tiling
    )
    return ", ".join(parts) or "nothing"
