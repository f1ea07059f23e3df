# SPDX-License-Identifier: Apache-2.0
"""What `stowage compile` writes is C that any compiler takes: built with `cc`, it gives the expected outputs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from stowage.cli import main
from stowage.ir.graph import Array

ROOT = Path(__file__).parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-Wstrict-prototypes", "-Wpedantic", "-Werror"]
SANITISERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
MODELS = {
    "digits/digits_int8": ("heldout_images_int8", "expected_int8"),
    "digits/digits_qoperator": ("heldout_images_int8", "expected_qoperator"),
    "digits/digits_f32": ("heldout_images", "expected_f32"),
    "branches/branches_int8": ("inputs_int8", "expected_int8"),
    "branches/branches_f32": ("inputs", "expected_f32"),
}


def _built(model: str, folder: Path, flags: list[str]) -> Path:
    """The program of a model for the host."""
    path = ROOT / "examples" / f"{model}.onnx"
    assert main(["compile", str(path), "--board", "host", "--name", "model", "--out", str(folder), "--quiet"]) == 0
    sources = [folder / "model.c", folder / "model_weights.c", ROOT / "tests" / "e2e" / "plain_main.c"]
    includes = [f"-I{folder}", f"-I{ROOT / 'runtime' / 'include'}"]
    names = ["-DSTW_NAME=model", '-DSTW_HEADER="model.h"']
    program = folder / "program"
    command = [os.environ.get("CC", "cc"), "-std=c99", "-O1", *WARNINGS, *flags, *includes, *names, *map(str, sources)]
    done = subprocess.run([*command, "-o", str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def _outputs(program: Path, inputs: Array, expected: Array) -> Array:
    done = subprocess.run([program], input=inputs.tobytes(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return np.frombuffer(done.stdout, expected.dtype).reshape(expected.shape)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("flags", [[], SANITISERS], ids=["plain", "sanitised"])
def test_the_program_gives_the_expected_outputs(model: str, flags: list[str], tmp_path: Path) -> None:
    folder = (ROOT / "examples" / model).parent
    inputs, expected = (np.load(folder / f"{name}.npy") for name in MODELS[model])
    outputs = _outputs(_built(model, tmp_path, flags), inputs, expected)
    difference = np.abs(outputs.astype(np.float64) - expected.astype(np.float64)).reshape(len(expected), -1).max(axis=1)
    if np.issubdtype(expected.dtype, np.floating):
        difference /= np.abs(expected).reshape(len(expected), -1).max(axis=1)
        assert difference.max() <= 1e-5
    else:
        assert difference.max() <= 1
