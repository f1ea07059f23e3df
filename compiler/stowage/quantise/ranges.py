# SPDX-License-Identifier: Apache-2.0
"""Ways to choose the range that 256 integers cover, from what they are to stand for.

What lies outside is clipped; the narrower a range, the finer its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from stowage.quantise.histogram import BINS, Histogram
from stowage.quantise.observe import Observation
from stowage.quantise.range import Range

_LEVELS = 256
_OUTSIDE = 1e-4
_PARTS = np.linspace(1.0, 0.2, 41)
"""Parts of the full range that are tried, the widest first."""


def min_max(seen: Observation) -> Range:
    """All that was seen."""
    return seen.range


def percentile(seen: Observation) -> Range:
    """All but one element of 10,000: half of these at either end."""
    total, below = seen.histogram.counts.sum(), np.cumsum(seen.histogram.counts)
    first = int(np.searchsorted(below, total * _OUTSIDE / 2, side="right"))
    last = int(np.searchsorted(below, total * (1 - _OUTSIDE / 2), side="left"))
    edges = seen.histogram.edges
    lowest, highest = edges[min(first, BINS)], edges[min(last + 1, BINS)]
    return Range(max(lowest, seen.range.lowest), min(highest, seen.range.highest))


def mean_square(seen: Observation) -> Range:
    """The least mean square of rounding (a step squared over 12) and clipping together."""
    centres, counts = seen.histogram.centres, seen.histogram.counts
    lows, highs = seen.range.lowest * _PARTS, seen.range.highest * _PARTS
    below = np.array([counts @ np.minimum(centres - low, 0.0) ** 2 for low in lows])
    above = np.array([counts @ np.maximum(centres - high, 0.0) ** 2 for high in highs])
    rounding = ((highs - lows[:, None]) / (_LEVELS - 1)) ** 2 / 12 * counts.sum()
    low, high = np.unravel_index(np.argmin(rounding + below[:, None] + above), rounding.shape)
    return Range(float(lows[low]), float(highs[high]))


def divergence(seen: Observation) -> Range:
    """The least Kullback-Leibler divergence of the quantised distribution from the one that was seen."""
    candidates = [Range(seen.range.lowest * part, seen.range.highest * part) for part in _PARTS]
    return min(candidates, key=lambda range_: _divergence(seen.histogram, range_))


RANGES: Mapping[str, Callable[[Observation], Range]] = {
    "min-max": min_max,
    "percentile": percentile,
    "mse": mean_square,
    "kl": divergence,
}
"""The ways by name."""


def _divergence(seen: Histogram, range_: Range) -> float:
    """Of the numbers within a range, spread evenly over its 256 parts, from all numbers, clipped to it."""
    inside = np.flatnonzero((seen.edges[1:] > range_.lowest) & (seen.edges[:-1] < range_.highest))
    if not inside.size or not seen.counts[inside].any():
        return np.inf
    first, last = inside[[0, -1]]
    kept = seen.counts[first : last + 1].astype(np.float64)
    clipped = kept.copy()
    clipped[0] += seen.counts[:first].sum()
    clipped[-1] += seen.counts[last + 1 :].sum()
    levels = np.arange(len(kept)) * _LEVELS // len(kept)
    mass, filled = np.bincount(levels, kept, _LEVELS), np.bincount(levels, kept > 0, _LEVELS)
    spread = np.where(kept > 0, (mass / np.maximum(filled, 1))[levels], 0.0)
    seen_there = clipped > 0
    p, q = clipped[seen_there] / clipped.sum(), spread[seen_there] / spread.sum()
    return float(np.sum(p * np.log(p / np.maximum(q, 1e-9))))
