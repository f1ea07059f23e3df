# SPDX-License-Identifier: Apache-2.0
"""How far the outputs of a quantised graph are from those of the float graph that it was made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
        """The relative error of a graph's outputs.

        Args:
            graph: one with the float graph's inputs and outputs, all float.
        """
        return relative_error(self.outputs, outputs_of(graph, self.samples))


def float_outputs(graph: Graph, samples: Samples) -> FloatOutputs:
    """Runs the float graph."""
    return FloatOutputs(samples, outputs_of(graph, samples))


def outputs_of(graph: Graph, samples: Samples) -> tuple[Floats, ...]:
    """The outputs of a graph over samples: for every output [samples, *shape]."""
    runs = [run(graph, inputs) for inputs in samples]
    return tuple(np.array([values[value.name] for values in runs], np.float64) for value in graph.outputs)


def relative_error(expected: Sequence[Floats], found: Sequence[Floats]) -> float:
    """The root mean square of an output's error in parts of that of the output itself; of several the mean square.

    An output of zeros counts with its absolute error.
    """
    squares = [_relative_square(*both) for both in zip(expected, found, strict=True)]
    return math.sqrt(sum(squares) / len(squares))


def _relative_square(expected: Floats, found: Floats) -> float:
    error, size = (float(np.mean(array**2)) for array in (found - expected, expected))
    return error / size if size > 0 else error
