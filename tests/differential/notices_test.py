# SPDX-License-Identifier: Apache-2.0
"""The tester itself: what is wrong is noticed, what two roundings may differ by is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import ModelProto, helper

from stowage.ir.graph import Array
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.target.find_board import find_board
from tests.differential.draft import assembled
from tests.differential.generated_c import Broken, Case, build_and_run
from tests.differential.judgement import deviations
from tests.differential.onnx_runtime import run_model

X: NDArray[np.float32] = np.linspace(-1, 2, 24, dtype=np.float32)
SCALE = np.array(1 / 64, np.float32)


def real_model() -> ModelProto:
    """Three operators; while the last one runs, most of the arena lies idle."""
    nodes = [
        helper.make_node("Concat", ["x"] * 4, ["c"], axis=0),
        helper.make_node("ReduceMean", ["c"], ["m"]),
        helper.make_node("Tanh", ["m"], ["y"]),
    ]
    outputs: dict[str, Array | None] = {"y": np.zeros(1, np.float32)}
    return assembled(nodes, {"x": X}, {}, outputs, opset=13)


def quantised_model() -> ModelProto:
    """A single operator between quantised tensors; the output is real."""
    scales: dict[str, Array] = {"s": SCALE, "z": np.array(0, np.int8)}
    pair = ["s", "z"]
    nodes = [
        helper.make_node("QuantizeLinear", ["x", *pair], ["q"]),
        helper.make_node("DequantizeLinear", ["q", *pair], ["d"]),
        helper.make_node("Tanh", ["d"], ["t"]),
        helper.make_node("QuantizeLinear", ["t", *pair], ["r"]),
        helper.make_node("DequantizeLinear", ["r", *pair], ["y"]),
    ]
    return assembled(nodes, {"x": X}, scales, {"y": X}, opset=13)


def wrong(model: ModelProto, change: NDArray[np.float32]) -> bool:
    """Whether an answer is called wrong that lies so far from the right one."""
    right = np.asarray(run_model(model, {"x": X})["y"], np.float32)
    found: dict[str, Array] = {"y": right + change}
    return any(each.is_wrong for each in deviations(model, {"x": X}, found, seed=0))


@pytest.mark.parametrize(("error", "noticed"), [(1e-6, False), (1e-4, True), (np.nan, True)])
def test_reals(error: float, noticed: bool) -> None:
    assert wrong(real_model(), np.array(error, np.float32)) == noticed


@pytest.mark.parametrize(("steps", "noticed"), [(0, False), (1, False), (-1, False), (2, True), (-3, True)])
def test_steps_of_one_operator(steps: int, noticed: bool) -> None:
    change = np.zeros(X.shape, np.float32)
    change[7] = steps * SCALE
    assert wrong(quantised_model(), change) == noticed


def test_an_output_of_another_shape() -> None:
    found: dict[str, Array] = {"y": np.zeros((), np.float32)}
    (deviation,) = deviations(real_model(), {"x": X}, found, seed=0)
    assert deviation.is_wrong


ENTRY = "unsigned char *bytes = arena;\n"
LAST_STEP = "    STW_STEP_BEGIN(&m_model, 2u, bytes);\n"
IDLE_BYTE = "bytes[(M_INPUT_X_OFFSET + 200u) % M_ARENA_BYTES]"
DAMAGE = {
    "a warning": (False, ENTRY, "    char narrow = index_of_nothing;\n", "narrow"),
    "a byte behind the arena": (False, ENTRY, "    bytes[M_ARENA_BYTES] = 1;\n", "heap-buffer-overflow"),
    "what the arena held before": (False, ENTRY, f"    bytes[M_INPUT_X_OFFSET + 3u] = {IDLE_BYTE};\n", "held before"),
    "bytes of no buffer": (True, LAST_STEP, "    bytes[M_ARENA_BYTES / 2u] = 1;\n", "poison"),
}
"""What is broken: whether it takes the poison watch, what the new line follows, the line, and a part of the message."""


def compiled_model(folder: Path) -> Compiled:
    path = folder / "m.onnx"
    path.write_bytes(real_model().SerializeToString())
    return compile_model(ModelRequest(path, "m"), find_board("host"))


def damaged(compiled: Compiled, before: str, line: str) -> Compiled:
    """The model with another line in its run."""
    text = compiled.sources["m.c"].replace(before, before + line)
    assert text != compiled.sources["m.c"]
    return replace(compiled, sources={**compiled.sources, "m.c": "#include <string.h>\n" + text})


def test_undamaged_c_runs(tmp_path: Path) -> None:
    (answer,) = build_and_run([Case(compiled_model(tmp_path), ({"x": X},))], tmp_path, poison=True)
    assert not isinstance(answer, Broken)
    assert not any(each.is_wrong for each in deviations(real_model(), {"x": X}, answer[0], seed=0))


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_c_is_noticed(name: str, tmp_path: Path) -> None:
    poison, before, line, message = DAMAGE[name]
    case = Case(damaged(compiled_model(tmp_path), before, line), ({"x": X},))
    (answer,) = build_and_run([case], tmp_path, poison)
    assert isinstance(answer, Broken)
    assert message in str(answer)
