# SPDX-License-Identifier: Apache-2.0
"""How far the outputs of a run lie from what is expected, and how far they may.

Strictly: see `expected.py`. Where that is not met by an ONNX model: see `noise.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tests.zoo.expected import Expected
from tools.trial.compare import compare
from tools.trial.vectors import Array


@dataclass(frozen=True, slots=True)
class Deviation:
    """One output.

    Attributes:
        unit: "steps", or "relative" to the vector's largest magnitude.
        distances: of each vector, the largest difference; NaN where something is not finite.
        limits: of each vector, what is allowed.
    """

    unit: str
    distances: tuple[float, ...]
    limits: tuple[float, ...]

    @property
    def too_far(self) -> bool:
        """Whether a vector lies farther off than it may."""
        return any(not distance <= limit for distance, limit in zip(self.distances, self.limits, strict=True))

    def record(self) -> dict[str, Any]:
        """The output as plain data."""
        return {"unit": self.unit, "distances": list(self.distances), "limits": list(self.limits)}


def deviations(expected: Expected, found: Sequence[Array]) -> list[Deviation]:
    """Every output against the strict limit."""
    return [
        _deviation(expected, ours, theirs, known)
        for ours, theirs, known in zip(found, expected.outputs, expected.known_noise, strict=True)
    ]


def limited_as(records: Sequence[Mapping[str, Any]], found: Iterable[Deviation]) -> list[Deviation]:
    """The same with the limits of another board's record, where it has any."""
    if not records:
        return list(found)
    return [
        replace(each, limits=tuple(record["limits"][: len(each.limits)]))
        for each, record in zip(found, records, strict=True)
    ]


def _deviation(expected: Expected, ours: Array, theirs: Array, known: float) -> Deviation:
    each = [compare(ours[v : v + 1], theirs[v : v + 1], expected.tolerance) for v in range(len(theirs))]
    limits = [difference.limit for difference in each]
    if each[0].unit == "relative":
        limits = [max(limit, known / magnitude(theirs[v])) for v, limit in enumerate(limits)]
    return Deviation(each[0].unit, tuple(difference.largest for difference in each), tuple(limits))


def magnitude(array: Array) -> float:
    """The largest of a vector's reals, and never 0."""
    return float(max(np.abs(array.astype(np.float64)).max(), np.finfo(np.float32).tiny))
