# SPDX-License-Identifier: Apache-2.0
"""Every size of a model is what the model alone is at that size, in one arena, with each constant once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from stowage.frontend.from_onnx.model_making import floats, model_of, saved
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant, model_bytes
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.sized_pipeline import compile_sizes
from stowage.target.find_board import find_board

HOST = find_board("host")


def dense(folder: Path) -> Path:
    """[batch, 6] → dense → relu → [batch, 3], plus what depends on the batch: a constant made of its shape."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"]),
        helper.make_node("Relu", ["m"], ["r"]),
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Cast", ["shape"], ["wide"], to=1),
        helper.make_node("ReduceSum", ["wide"], ["total"], keepdims=0),
        helper.make_node("Expand", ["total", "three"], ["row"]),
        helper.make_node("Mul", ["row", "ramp"], ["own"]),
        helper.make_node("Add", ["r", "own"], ["y"]),
    ]
    constants = {
        "w": np.random.default_rng(1).normal(size=(6, 3)).astype(np.float32),
        "three": np.array([3], np.int64),
        "ramp": np.arange(3, dtype=np.float32),
    }
    model = model_of(nodes, [floats("x", ["batch", 6])], [floats("y", ["batch", 3])], constants)
    return saved(model, folder)


def tflite(folder: Path) -> Path:
    """int8[open, 6] → fully connected → int8[open, 3]."""
    weights = np.arange(18, dtype=np.int8).reshape(3, 6) - np.int8(9)
    tensors = [
        Tensor((1, 6), "int8", None, (0.05,), (3,), signature=(-1, 6)),
        Tensor((3, 6), "int8", weights, (0.01,), (0,)),
        constant(np.array([1, 2, 3], np.int32)),
        Tensor((1, 3), "int8", None, (0.1,), (0,), signature=(-1, 3)),
    ]
    operators = [Operator("FULLY_CONNECTED", (0, 1, 2), (3,), "FullyConnectedOptions", version=4)]
    path = folder / "model.tflite"
    path.write_bytes(model_bytes(Subgraph(tensors, operators, (0,), (3,))))
    return path


@pytest.mark.parametrize(("make", "dimension"), [(dense, "batch"), (tflite, "t0.0")])
def test_a_size_is_the_model_alone(make: object, dimension: str, tmp_path: Path) -> None:
    assert callable(make)
    model = make(tmp_path)
    extents = (1, 4, 16)
    sized = compile_sizes(ModelRequest(model, "m"), {dimension: extents}, HOST)
    for extent, variant in zip(extents, sized.variants, strict=True):
        alone = compile_model(ModelRequest(model, f"m_{extent}", {dimension: extent}), HOST)
        assert variant.plan == alone.plan
        assert [call.function for call in variant.program.calls] == [call.function for call in alone.program.calls]
    assert sized.program.arena_bytes == sized.variants[-1].plan.arena_bytes


def test_weights_are_stored_once_and_what_depends_on_the_size_in_each(tmp_path: Path) -> None:
    sized = compile_sizes(ModelRequest(dense(tmp_path), "m"), {"batch": (1, 4)}, HOST)
    stored = {name: text.count("STW_WEIGHTS(") for name, text in sized.sources.items() if "_weights.c" in name}
    assert stored == {"m_weights.c": 2, "m_1_weights.c": 1, "m_4_weights.c": 1}, "weights and bias; the row of the size"
    assert sized.program.shared.size_bytes == (6 * 3 + 3) * 4
