# SPDX-License-Identifier: Apache-2.0
"""What is expected of a model, and how exactly: by the file that it is, and by what the zoo tells of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.trial.compare import Tolerance
from tools.trial.vectors import Array

RELATIVE = 1e-5


@dataclass(frozen=True, slots=True)
class Expected:
    """The vectors of a model, and the outputs of the runtime that it comes from.

    Attributes:
        model: the model's file.
        inputs: [vector, ...] of each input.
        outputs: [vector, ...] of each output.
        tolerance: how near each output has to be, before anything is known of the model's own noise.
        known_noise: of each output, what the runtime's own results differ by, in the output's units.
    """

    model: Path
    inputs: Sequence[Array]
    outputs: Sequence[Array]
    tolerance: Tolerance
    known_noise: tuple[float, ...]

    @property
    def is_onnx(self) -> bool:
        """Whether the model itself can be run by ONNX Runtime."""
        return self.model.suffix == ".onnx"


def read_expected(model: Path, inputs: Sequence[Array], outputs: Sequence[Array], meta: Mapping[str, Any]) -> Expected:
    """TFLite's integers are to be met bit for bit, ONNX Runtime's within one step; reals within 1e-5 of the largest.

    Where reals are summed in another order, the runtime's own results differ by more than that for some models; what
    the zoo has measured of it (between two of the runtime's modes) is allowed here too. Not for reals that a `.tflite`
    file makes of integers: these have one right value.
    """
    steps = 0 if model.suffix == ".tflite" else 1
    told = [entry["max"] for entry in _noise(model, meta)]
    known = tuple(told[index] if index < len(told) else 0.0 for index in range(len(outputs)))
    return Expected(model, inputs, outputs, Tolerance(steps, RELATIVE, same_class=False), known)


def _noise(model: Path, meta: Mapping[str, Any]) -> Sequence[Mapping[str, float]]:
    if model.suffix != ".tflite":
        return list(meta.get("onnxruntime_optimised_vs_reference", ()))
    return list(meta["tflite"].get("optimised_vs_reference_kernels", ())) if meta.get("kind") == "float" else ()
