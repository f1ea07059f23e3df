# SPDX-License-Identifier: Apache-2.0
"""How far the outputs of a quantised graph are from those of the float graph that it was made of."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Graph
from stowage.ir.reference import run
from stowage.quantise.calibration import Samples

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FloatOutputs:
    """Samples, and what the float graph makes of them: for every output all samples, [samples, *shape]."""

    samples: Samples
    outputs: tuple[Floats, ...]

    def relative_error(self, graph: Graph) -> float:
        """The root mean square of the error in parts of that of the output; of several outputs, their mean square.

        Args:
            graph: one with the float graph's inputs and outputs, all float.
        """
        ours = outputs_of(graph, self.samples)
        parts = [_relative(expected, found) for expected, found in zip(self.outputs, ours, strict=True)]
        return math.sqrt(sum(part**2 for part in parts) / len(parts))


def float_outputs(graph: Graph, samples: Samples) -> FloatOutputs:
    """Runs the float graph."""
    return FloatOutputs(samples, outputs_of(graph, samples))


def outputs_of(graph: Graph, samples: Samples) -> tuple[Floats, ...]:
    """The outputs of a graph over samples: for every output [samples, *shape]."""
    runs = [run(graph, inputs) for inputs in samples]
    return tuple(np.array([values[value.name] for values in runs], np.float64) for value in graph.outputs)


def _relative(expected: Floats, found: Floats) -> float:
    size = math.sqrt(float(np.mean(expected**2)))
    error = math.sqrt(float(np.mean((found - expected) ** 2)))
    return error / size if size > 0 else error
