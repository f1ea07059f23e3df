# SPDX-License-Identifier: Apache-2.0
"""Two compilations in processes of their own give the same bytes, whatever the seed of hashes and the folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = ["digits/digits_int8.onnx", "branches/branches_int8.onnx", "branches/branches_f32.onnx"]
STAGES = ["import", "prune", "schedule", "plan", "program"]


def compile_files(model: Path, out: Path, *, hash_seed: int, board: str = "nrf52") -> dict[str, bytes]:
    """Runs `stowage compile` with all dumps; returns the files that it wrote."""
    dumps = [word for stage in STAGES for word in ("--dump", stage)]
    command = [sys.executable, "-m", "stowage.cli", "compile", str(model), "--board", board, "--out", str(out), *dumps]
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


@pytest.mark.parametrize("model", MODELS)
def test_the_same_model_gives_the_same_bytes(model: str, tmp_path: Path) -> None:
    first = compile_files(EXAMPLES / model, tmp_path / "a", hash_seed=0)
    second = compile_files(EXAMPLES / model, tmp_path / "another" / "folder", hash_seed=4242)
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    assert len(first) >= 7 + len(STAGES)


def test_no_file_names_the_machine_it_was_made_on(tmp_path: Path) -> None:
    made = compile_files(EXAMPLES / MODELS[0], tmp_path / "out", hash_seed=1)
    traces = [str(tmp_path).encode(), str(EXAMPLES).encode(), os.uname().nodename.encode()]
    assert [name for name, content in made.items() for trace in traces if trace in content] == []
