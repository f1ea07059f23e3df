# SPDX-License-Identifier: Apache-2.0
"""Models of a pool are compiled with all that a model alone is compiled with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import helper

from stowage.cli import main
from stowage.frontend.from_onnx.model_making import floats, model_of, saved
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.pool_pipeline import compile_pool
from stowage.target.find_board import find_board

HOST = find_board("host")


def joined(folder: Path) -> Path:
    """A concat whose parts are made where the whole has them, so that it needs no step."""
    nodes = [
        helper.make_node("Relu", ["a"], ["a_positive"]),
        helper.make_node("Sigmoid", ["b"], ["b_share"]),
        helper.make_node("Concat", ["a_positive", "b_share"], ["y"], axis=0),
    ]
    return saved(model_of(nodes, [floats("a", [4]), floats("b", [6])], [floats("y", [10])]), folder)


def request(model: Path, name: str) -> ModelRequest:
    return ModelRequest(model, name)


def test_models_have_the_steps_that_they_have_alone(tmp_path: Path) -> None:
    model = joined(tmp_path)
    alone = compile_model(ModelRequest(model, "left"), HOST)
    assert len(alone.program.calls) == 2
    pool = compile_pool("both", [request(model, "left"), request(model, "right")], (), HOST)
    left, right = pool.models
    assert [call.summary for call in left.program.calls] == [call.summary for call in alone.program.calls]
    assert len(right.program.calls) == 2
    assert pool.plan.arena_bytes == alone.plan.arena_bytes


def test_a_pool_of_one_model_is_the_model(tmp_path: Path) -> None:
    model = joined(tmp_path)
    pool = compile_pool("one", [request(model, "left")], (), HOST)
    alone = compile_model(ModelRequest(model, "left"), HOST)
    assert (pool.plan.arena_bytes, pool.plan.bound_bytes) == (alone.plan.arena_bytes, alone.plan.bound_bytes)
    assert pool.sources["left_weights.c"] == alone.sources["left_weights.c"]


def dense(folder: Path, name: str, first: NDArray[np.float32]) -> Path:
    """[1, 4] → dense of these weights → relu → dense of ones."""
    nodes = [
        helper.make_node("MatMul", ["x", "first"], ["m"]),
        helper.make_node("Relu", ["m"], ["r"]),
        helper.make_node("MatMul", ["r", "last"], ["y"]),
    ]
    constants = {"first": first, "last": np.ones((4, 2), np.float32)}
    model = model_of(nodes, [floats("x", [1, 4])], [floats("y", [1, 2])], constants)
    return saved(model, folder, f"{name}.onnx")


def test_what_models_have_in_common_is_stored_once(tmp_path: Path) -> None:
    ramp = np.arange(16, dtype=np.float32).reshape(4, 4)
    models = [dense(tmp_path, name, weights) for name, weights in (("one", ramp), ("two", ramp + 1))]
    pool = compile_pool("both", [request(model, model.stem) for model in models], (), HOST)
    weights = {name: text for name, text in pool.sources.items() if name.endswith("_weights.c")}
    stored = {name: text.count("STW_WEIGHTS(") for name, text in weights.items()}
    assert stored == {"both_weights.c": 3, "one_weights.c": 1, "two_weights.c": 1}, "two biases are zeros, and the ones"
    assert pool.shared.size_bytes == (4 * 2 + 4 + 2) * 4
    assert '#include "both_weights.h"' in pool.sources["one_weights.h"]


def test_the_report_alone_goes_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(joined(tmp_path))
    command = ["pool", "both", "--board", "nrf52", "--quiet", "--report", "text", "--model", model]
    assert main(command) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("Memory of pool both on board nrf52\n") and shown.err == ""
    assert [path.name for path in tmp_path.iterdir()] == ["model.onnx"]
