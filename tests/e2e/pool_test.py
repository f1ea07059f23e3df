# SPDX-License-Identifier: Apache-2.0
"""Models of a pool are compiled with all that a model alone is compiled with."""

from __future__ import annotations

from pathlib import Path

from onnx import helper

from stowage.frontend.from_onnx.model_making import floats, model_of, saved
from stowage.pipeline import ModelRequest, compile_model
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
