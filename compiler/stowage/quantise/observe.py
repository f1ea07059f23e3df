# SPDX-License-Identifier: Apache-2.0
"""What the values of a float graph are like over sample inputs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array, Graph
from stowage.ir.reference import run
from stowage.quantise.calibration import Samples
from stowage.quantise.histogram import Histogram, histogram, together
from stowage.quantise.range import Range

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Observation:
    """One value over all samples.

    Attributes:
        range: from its smallest to its largest element, and zero.
        largest: by entry of its last axis the largest size.
        means: by entry of its last axis the mean.
        histogram: of all its elements.
    """

    range: Range
    largest: Floats
    means: Floats
    histogram: Histogram


def observe(graph: Graph, samples: Samples, names: Collection[str]) -> dict[str, Observation]:
    """Runs a graph on samples and looks at the named values."""
    found: dict[str, Observation] = {}
    for inputs in samples:
        values = run(graph, inputs)
        for name in names:
            seen = _observation(values[name])
            found[name] = seen if name not in found else _both(found[name], seen)
    return {name: replace(seen, means=seen.means / samples.count) for name, seen in found.items()}


def _observation(array: Array) -> Observation:
    rows = array.astype(np.float64).reshape(-1, array.shape[-1] if array.ndim else 1)
    smallest, highest = rows.min(axis=0, initial=0.0), rows.max(axis=0, initial=0.0)
    range_ = Range(float(smallest.min(initial=0.0)), float(highest.max(initial=0.0)))
    return Observation(range_, np.maximum(-smallest, highest), rows.mean(axis=0), histogram(rows))


def _both(first: Observation, second: Observation) -> Observation:
    return Observation(
        first.range.with_(second.range),
        np.maximum(first.largest, second.largest),
        first.means + second.means,
        together(first.histogram, second.histogram),
    )
