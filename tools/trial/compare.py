# SPDX-License-Identifier: Apache-2.0
"""How far outputs are from what was expected, and whether that is near enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What still counts as the same.

    Attributes:
        steps: for integer outputs, quantisation steps.
        relative: for float outputs, of the largest expected magnitude in the vector.
        same_class: whether the index of each vector's largest element must be the same too.
    """

    steps: int
    relative: float
    same_class: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """How one output compares.

    Attributes:
        largest: the largest difference, in steps or relative to the vector's largest magnitude; NaN where the vector,
        or
            what is expected of it, is not finite.
        unit: "steps" or "relative".
        vector: where it is.
        limit: what is allowed.
        other_classes: vectors whose largest element is elsewhere, where that counts.
    """

    largest: float
    unit: str
    vector: int
    limit: float
    other_classes: int

    @property
    def passes(self) -> bool:
        """Whether the output is near enough; what is not finite never is."""
        return self.largest <= self.limit and self.other_classes == 0

    def __str__(self) -> str:
        text = f"largest difference {self.largest:g} {self.unit} in vector {self.vector} (allowed {self.limit:g})"
        return text + (f", {self.other_classes} vectors of another class" if self.other_classes else "")


def compare(actual: Array, expected: Array, tolerance: Tolerance) -> Difference:
    """Compares outputs [vector, ...] of equal shape and dtype, at least one vector."""
    vectors = len(expected)
    a, e = actual.reshape(vectors, -1), expected.reshape(vectors, -1)
    if np.issubdtype(expected.dtype, np.floating):
        distance, limit, unit = _relative(a.astype(np.float64), e.astype(np.float64)), tolerance.relative, "relative"
    else:
        distance, limit, unit = _steps(a, e), float(tolerance.steps), "steps"
    worst = int(np.argmax(np.where(np.isnan(distance), np.inf, distance)))
    strays = int(np.count_nonzero(_classes_differ(a, e))) if tolerance.same_class else 0
    return Difference(float(distance[worst]), unit, worst, limit, strays)


def _relative(actual: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.float64]:
    magnitude = np.maximum(np.abs(expected).max(axis=1), np.finfo(np.float32).tiny)
    finite = (np.isfinite(actual) & np.isfinite(expected)).all(axis=1)
    with np.errstate(invalid="ignore"):
        difference = np.abs(actual - expected).max(axis=1) / magnitude
    return np.where(finite, difference, np.nan)


def _steps(actual: Array, expected: Array) -> NDArray[np.float64]:
    """Differences as real numbers, since those of 64-bit integers need not fit into one; at least 1 where not equal."""
    difference = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    return np.asarray(np.where(actual == expected, 0.0, np.maximum(difference, 1.0)).max(axis=1))


def _classes_differ(actual: Array, expected: Array) -> NDArray[np.bool_]:
    return np.asarray(np.argmax(actual, axis=1) != np.argmax(expected, axis=1))
