# SPDX-License-Identifier: Apache-2.0
"""The door that every model file comes in by: which importer reads it follows from its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from stowage.errors import UnsupportedModel
from stowage.frontend import fixed_input
from stowage.ir.graph import Graph


def read_model(
    path: Path, name: str, dimensions: Mapping[str, int], fixed: Mapping[str, str] = fixed_input.NONE
) -> Graph:
    """Reads a model file.

    Args:
        path: a `.onnx` or `.tflite` file.
        name: the graph's name, a C identifier; made from the file's name if empty.
        dimensions: values for symbolic dimensions, by name (`<input>.<axis>` where they have none, as in TFLite).
        fixed: elements of those inputs that are constants of this build, by name.

    Raises:
        UnsupportedModel: no importer takes files of that kind, or the model holds something that Stowage does not
            compile.
        InvalidModel: the file is not a well-formed model.
    """
    suffix = path.suffix.lower()
    if suffix == ".tflite":
        from stowage.frontend.tflite_model import read_tflite  # a run loads the importer that it needs alone

        return read_tflite(path, dimensions, name=name, fixed=fixed)
    if suffix != ".onnx":
        raise UnsupportedModel(
            file=str(path),
            reason=f'no importer reads files that end in "{path.suffix}"',
            remedy="give a model in ONNX or TFLite form, in a file whose name ends in .onnx or .tflite",
        )
    from stowage.frontend.onnx_model import read_onnx

    return read_onnx(path, dimensions, name=name, fixed=fixed)
