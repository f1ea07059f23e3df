# SPDX-License-Identifier: Apache-2.0
"""How far a model of the zoo is from its float outputs when it is quantised here, and by ONNX Runtime's tool."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stowage.frontend.read_model import read_model
from stowage.ir.dtype import DType
from stowage.ir.graph import Graph
from stowage.passes.graph_pass import run_passes
from stowage.passes.order import FLOAT_PASSES, INTEGER_PASSES
from stowage.quantise.calibration import samples_for
from stowage.quantise.output_error import outputs_of
from stowage.quantise.quantise import Outcome, quantise
from stowage.quantise.request import Quantisation
from tests.quantisation.zoo_calibration import calibration, test_vectors

Arrays = Sequence[NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Errors:
    """Differences from the float outputs over all elements of all outputs of all test vectors.

    Attributes:
        rms: root mean square.
        largest: largest size.
    """

    rms: float
    largest: float


@dataclass(frozen=True, slots=True)
class ZooError:
    """A model's figures.

    Attributes:
        size: root mean square of the float outputs themselves.
        ours: errors of the model quantised here.
        theirs: errors of `model_qdq.onnx` beside it, None where there is none.
        outcome: what quantisation did.
    """

    size: float
    ours: Errors
    theirs: Errors | None
    outcome: Outcome


def zoo_error(folder: Path) -> ZooError:
    """Quantises the model in a folder of the zoo and runs it on its test vectors, in the integers that C computes."""
    graph = run_passes(read_model(folder / "model.onnx", "zoo", {}), FLOAT_PASSES)
    quantised, outcome = _quantised(folder, graph)
    expected = [np.load(folder / f"output_{index}.npy") for index in range(len(graph.outputs))]
    ours = outputs_of(quantised, samples_for(graph, test_vectors(folder, graph)))
    files = [folder / f"output_qdq{f'_{index}' if index else ''}.npy" for index in range(len(expected))]
    theirs = _errors(expected, [np.load(file) for file in files]) if files[0].exists() else None
    zeros = [np.zeros_like(array) for array in expected]
    return ZooError(_errors(expected, zeros).rms, _errors(expected, ours), theirs, outcome)


def _quantised(folder: Path, graph: Graph) -> tuple[Graph, Outcome]:
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary, "calibration.npz")
        np.savez(file, **calibration(folder, graph))  # type: ignore[arg-type]
        request = Quantisation(file, interface=DType.F32)
        result, outcome = quantise(graph, request, lambda draft: run_passes(draft, INTEGER_PASSES))
    return run_passes(result, INTEGER_PASSES), outcome


def _errors(expected: Arrays, found: Arrays) -> Errors:
    pairs = zip(expected, found, strict=True)
    differences = np.concatenate([(e.astype(np.float64) - f.reshape(e.shape)).ravel() for e, f in pairs])
    return Errors(float(np.sqrt(np.mean(differences**2))), float(np.abs(differences).max()))
