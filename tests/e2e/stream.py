# SPDX-License-Identifier: Apache-2.0
"""Streaming models, step by step: the generated C with its states, and ONNX Runtime whose states are fed by hand."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx

from stowage.ir.graph import Array
from stowage.ir.tensor_type import TensorType
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.quantise.request import Quantisation
from stowage.target.find_board import find_board
from tests.differential.onnx_runtime import Judge

Arrays = dict[str, Array]
RUNTIME = Path(__file__).absolute().parents[2] / "runtime"
MAIN = Path(__file__).absolute().parent / "stream_main.c"
_FLAGS = (
    *("-std=c99", "-ffp-contract=off", "-D_POSIX_C_SOURCE=200112L", "-g", "-O1"),
    *("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-Wstrict-prototypes", "-Werror"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)


def compiled_stream(model: Path, states: Mapping[str, str], quantisation: Quantisation | None = None) -> Compiled:
    """The model called "stream", for this machine."""
    return compile_model(ModelRequest(model, "stream", states=states, quantisation=quantisation), find_board("host"))


def steps_in_c(compiled: Compiled, steps: Sequence[Arrays], folder: Path, *, poison: bool) -> list[Arrays]:
    """What each step leaves: outputs by name, and states by the name of their output.

    The stream is run twice, in an arena full of other rubbish each time.
    """
    for file, text in compiled.sources.items():
        (folder / file).write_text(text, encoding="utf-8")
    names = {"HEADER": '"stream.h"', "MODEL": "stream_model", "RUN": "stream_run", "RESET": "stream_reset"}
    macros = [f"-DSTREAM_{name}={value}" for name, value in names.items()]
    watch = ["-DSTW_POISON", str(RUNTIME / "core" / "poison.c")] if poison else []
    sources = [str(MAIN), str(folder / "stream.c"), str(folder / "stream_weights.c"), *watch]
    program = str(folder / "stream")
    includes = [f"-I{RUNTIME / 'include'}", f"-I{folder}"]
    subprocess.run([os.environ.get("CC", "cc"), *_FLAGS, *includes, *macros, *sources, "-o", program], check=True)
    fed = b"".join(step[port.value.name].tobytes() for step in steps for port in compiled.program.inputs)
    done = subprocess.run([program, str(len(steps))], input=2 * fed, stdout=subprocess.PIPE, check=True)
    half = len(done.stdout) // 2
    assert done.stdout[:half] == done.stdout[half:], "what was in the arena before the reset shows"
    return _unpacked(compiled, done.stdout[:half], len(steps))


def _unpacked(compiled: Compiled, stream: bytes, steps: int) -> list[Arrays]:
    results, position = [dict[str, Array]() for _ in range(steps)], 0
    ports = [(port.value.name, port.value.type) for port in compiled.program.outputs]
    ports += [(state.output, state.held.value.type) for state in compiled.program.states]
    for result in results:
        for name, type_ in ports:
            result[name] = _array(stream[position : position + type_.size_bytes], type_)
            position += type_.size_bytes
    assert position == len(stream)
    return results


def _array(data: bytes, type_: TensorType) -> Array:
    return np.frombuffer(data, type_.dtype.numpy).reshape(type_.shape)


def steps_by_hand(model: Path, steps: Sequence[Arrays], states: Mapping[str, str], first: Arrays) -> list[Arrays]:
    """ONNX Runtime's outputs of each step: an input that is a state is what its output was in the step before."""
    judge = Judge(onnx.load(model))
    results: list[Arrays] = []
    for step in steps:
        held = {name: results[-1][output] for name, output in states.items()} if results else first
        results.append(judge.run({**step, **held}))
    return results
