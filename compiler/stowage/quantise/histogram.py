# SPDX-License-Identifier: Apache-2.0
"""A histogram that grows with what it counts: its parts get wider by factors of two, and nothing is counted again."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BINS = 8192


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many numbers lie in each of `BINS` equal parts of [-reach, reach]; `reach` is a power of two."""

    reach: float
    counts: NDArray[np.int64]

    @property
    def edges(self) -> Floats:
        """Where the parts begin, and where the last one ends."""
        return np.linspace(-self.reach, self.reach, BINS + 1)

    @property
    def centres(self) -> Floats:
        """The middles of the parts."""
        edges = self.edges
        return np.asarray((edges[1:] + edges[:-1]) / 2)


def histogram(numbers: Floats) -> Histogram:
    """The histogram of some finite numbers, with the least reach that holds them."""
    largest = float(np.abs(numbers).max(initial=0.0))
    reach = 2.0 ** math.frexp(largest)[1]
    places = ((numbers.ravel() / reach + 1.0) * (BINS // 2)).astype(np.int64)
    return Histogram(reach, np.bincount(np.minimum(places, BINS - 1), minlength=BINS))


def together(first: Histogram, second: Histogram) -> Histogram:
    """The histogram of what two have counted."""
    reach = max(first.reach, second.reach)
    return Histogram(reach, _widened(first, reach) + _widened(second, reach))


def _widened(narrow: Histogram, reach: float) -> NDArray[np.int64]:
    """The counts over [-reach, reach]; each half by itself, as no part lies on both sides of zero."""
    ratio = min(int(reach / narrow.reach), BINS // 2)
    if ratio == 1:
        return narrow.counts
    counts, kept = np.zeros(BINS, np.int64), BINS // 2 // ratio
    merged = narrow.counts.reshape(2 * kept, ratio).sum(axis=1)
    counts[BINS // 2 - kept : BINS // 2 + kept] = merged
    return counts
