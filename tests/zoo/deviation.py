# SPDX-License-Identifier: Apache-2.0
"""How far the outputs of a run lie from what is expected, and how far they may.

Strictly: see `expected.py`. Integers of a deep quantised model differ by more than a step where a flip of one step
grows on its way to the output. The model itself says how far that goes: ONNX Runtime runs it with every quantised
tensor moved by one step (`tests/differential/judgement.py`). That is asked only where the strict limit is not met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import onnx

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


def noisy(expected: Expected, found: Iterable[Deviation]) -> list[Deviation]:
    """The same with the limits widened to what the model's own noise does; of an ONNX model."""
    if not expected.is_onnx:
        return list(found)
    # Here, because importing ONNX Runtime takes longer than most runs, which have no use for it.
    from tests.differential.expanded import expanded

    model = expanded(onnx.load(expected.model))
    noises = [_noise(model, expected, vector) for vector in range(len(expected.outputs[0]))]
    return [_widened(each, expected.outputs[k], [noise[k] for noise in noises]) for k, each in enumerate(found)]


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
        limits = [max(limit, known / _magnitude(theirs[v])) for v, limit in enumerate(limits)]
    return Deviation(each[0].unit, tuple(difference.largest for difference in each), tuple(limits))


def _widened(deviation: Deviation, expected: Array, noises: Sequence[float]) -> Deviation:
    scales = [_magnitude(array) if deviation.unit == "relative" else 1.0 for array in expected]
    pairs = zip(deviation.limits, noises, scales, strict=True)
    return replace(deviation, limits=tuple(max(limit, amount / scale) for limit, amount, scale in pairs))


def _magnitude(array: Array) -> float:
    return float(max(np.abs(array.astype(np.float64)).max(), np.finfo(np.float32).tiny))


def _noise(model: onnx.ModelProto, expected: Expected, vector: int) -> list[float]:
    """How far noise moves each output of one vector."""
    from tests.differential.judgement import noise_reach

    constants = {constant.name for constant in model.graph.initializer}
    names = [value.name for value in model.graph.input if value.name not in constants]
    feeds = {name: array[vector] for name, array in zip(names, expected.inputs, strict=True)}
    outputs = [value.name for value in model.graph.output]
    answers = {name: array[vector] for name, array in zip(outputs, expected.outputs, strict=True)}
    reach = noise_reach(model, feeds, answers, seed=0)
    return [reach[name] for name in outputs]
