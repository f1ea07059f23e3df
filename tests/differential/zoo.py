# SPDX-License-Identifier: Apache-2.0
"""Real models, where STOWAGE_ZOO names a folder of them: `bazel run //tests/differential:zoo -- [NAME...]`.

Every model.onnx and model_qdq.onnx is compiled for the host and run on its test vectors under sanitisers, the first one
under the poison watch too unless that takes too long. Prints a line a model: arena, lower bound, steps, and the
largest error beside what is allowed, or why it is refused.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx

from stowage.errors import StowageError
from stowage.ir.graph import Array
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.target.find_board import find_board
from tests.differential.generated_c import Broken, Case, build_and_run
from tests.differential.judgement import Deviation, deviations

_COLUMNS = ("model", "arena", "bound", "steps", "vectors", "poison watch", "largest error")
_MOST_VECTORS = 3
_MOST_WATCHED = 10**9


def main(arguments: Sequence[str]) -> int:
    """Runs the models whose folder is named, or all."""
    folders = sorted(Path(os.environ.get("STOWAGE_ZOO", "/nonexistent")).glob("*/meta.json"))
    wrong = 0
    print(f"| {' | '.join(_COLUMNS)} |\n|{' --- |' * len(_COLUMNS)}")
    for folder in (meta.parent for meta in folders):
        for path in sorted(folder.glob("model*.onnx")):
            if not arguments or folder.name in arguments:
                line, good = _row(path)
                wrong += not good
                print(f"| {folder.name}/{path.stem} | {line} |", flush=True)
    return 1 if wrong else 0


def _row(path: Path) -> tuple[str, bool]:
    try:
        compiled = compile_model(ModelRequest(path, "zoo"), find_board("host"))
    except StowageError as refusal:
        return f"refused: {str(refusal).removeprefix(f'{path}: ')[:160]}", True
    plan = compiled.plan
    sizes = f"{plan.arena_bytes} | {plan.bound_bytes} | {len(compiled.program.calls)}"
    vectors = _vectors(path, compiled)
    try:
        found = _answers(compiled, vectors, poison=False)
        watched = _is_watched(compiled)
        if watched:
            _answers(compiled, vectors[:1], poison=True)
    except Broken as broken:
        return f"{sizes} | broken: {str(broken)[:500]}", False
    model = onnx.load(path)
    judged = [each for run in zip(vectors, found, strict=True) for each in deviations(model, *run, seed=0)]
    worst = max(judged, key=_share)
    return f"{sizes} | {len(vectors)} | {'yes' if watched else 'no'} | {_told(worst)}", not worst.is_wrong


def _is_watched(compiled: Compiled) -> bool:
    """Whether the poison watch ends in minutes: it looks at each byte of the arena for each buffer at each step."""
    program = compiled.program
    return program.arena_bytes * len(program.slots) * len(program.calls) < _MOST_WATCHED


def _share(deviation: Deviation) -> float:
    """The distance in parts of what is allowed."""
    return deviation.distance / deviation.allowed if deviation.distance else 0.0


def _told(deviation: Deviation) -> str:
    return f"{deviation.distance:.3g} of {deviation.allowed:.3g}, magnitude {deviation.magnitude:.3g}"


def _vectors(path: Path, compiled: Compiled) -> list[dict[str, Array]]:
    arrays = [np.load(path.parent / f"input_{k}.npy") for k in range(len(compiled.program.inputs))]
    names = [port.value.name for port in compiled.program.inputs]
    count = min(_MOST_VECTORS, len(arrays[0]))
    return [{name: array[run] for name, array in zip(names, arrays, strict=True)} for run in range(count)]


def _answers(compiled: Compiled, vectors: Sequence[Mapping[str, Array]], poison: bool) -> list[dict[str, Array]]:
    with tempfile.TemporaryDirectory() as folder:
        (answer,) = build_and_run([Case(compiled, tuple(vectors))], Path(folder), poison)
    if isinstance(answer, Broken):
        raise answer
    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
