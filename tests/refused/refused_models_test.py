# SPDX-License-Identifier: Apache-2.0
"""A model that is unsound, or holds what Stowage does not compile, is refused with the node that is to blame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from stowage.frontend.from_onnx.model_making import conv_model, floats, model_of, node_model, saved
from tests.refused.command_line import refusal, stowage

AGAIN = "export the model again."


def nan_weights() -> ModelProto:
    weights = np.ones((4, 3, 3, 3), np.float32)
    weights[2, 0, 1, 2] = np.nan
    return conv_model(weights)


def cyclic() -> ModelProto:
    nodes = [
        helper.make_node("Add", ["x", "b"], ["a"], name="first"),
        helper.make_node("Relu", ["a"], ["b"], name="second"),
    ]
    return model_of(nodes, [floats("x", [4])], [floats("b", [4])])


def dynamic() -> ModelProto:
    node = helper.make_node("Relu", ["x"], ["y"], name="act")
    return model_of([node], [floats("x", ["batch", 4])], [floats("y", ["batch", 4])])


def without_kernel() -> ModelProto:
    """The importer knows the operator, but no kernel multiplies matrices of doubles."""
    node = helper.make_node("MatMul", ["x", "y"], ["z"], name="product")
    doubles = [helper.make_tensor_value_info(name, TensorProto.DOUBLE, [4, 4]) for name in "xyz"]
    return model_of([node], doubles[:2], doubles[2:])


CASES = {
    "operator": (
        node_model("StringNormalizer", [4]),
        "StringNormalizer node 'n': no importer for the operator StringNormalizer; "
        "replace it by supported operators and export the model again.",
    ),
    "attribute": (
        node_model("Resize", [1, 1, 4, 4], np.zeros(0, np.float32), np.array([1, 1, 2, 2], np.float32), mode="area"),
        "Resize node 'n': attribute mode is 'area'; use 'nearest' or 'linear' or 'cubic'.",
    ),
    "nan weight": (
        nan_weights(),
        "Conv node 'c': element [2, 0, 1, 2] of the constant 'w' is nan; train the model again.",
    ),
    "cyclic graph": (
        cyclic(),
        "Add node 'first': the graph is cyclic: 2 nodes need their own results (Add node 'first', Relu node 'second'); "
        f"use an operator with explicit state for a recurrence, and {AGAIN}",
    ),
    "dynamic shape": (
        dynamic(),
        "input 'x': its dimension 'batch' is dynamic, but firmware needs a fixed one; "
        'give it a value: --dimension batch=1, or dimensions = {"batch": 1} in a BUILD file.',
    ),
}


@pytest.mark.parametrize(("model", "sentence"), CASES.values(), ids=CASES)
def test_model(model: ModelProto, sentence: str, tmp_path: Path) -> None:
    path = saved(model, tmp_path)
    assert refusal(path, "nrf52", tmp_path / "out") == f"{path}: {sentence}"


def test_dimension_of_another_name(tmp_path: Path) -> None:
    path = saved(dynamic(), tmp_path)
    sentence = refusal(path, "nrf52", tmp_path / "out", "--dimension", "batch=1", "--dimension", "btach=1")
    assert sentence == (
        f"{path}: dimension 'btach': the model has no such dimension, its dynamic dimensions are batch; correct it."
    )


def test_dynamic_shape_with_its_value_compiles(tmp_path: Path) -> None:
    path = saved(dynamic(), tmp_path)
    out = tmp_path / "out"
    done = stowage("compile", path, "--board", "nrf52", "--out", out, "--quiet", "--dimension", "batch=3")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "float 3x4" in (out / "model.h").read_text()


def test_no_kernel(tmp_path: Path) -> None:
    path = saved(without_kernel(), tmp_path)
    sentence = refusal(path, "nrf52", tmp_path / "out")
    assert sentence.startswith(f'{path}: node "product" (matmul): no kernel takes operands f64[4, 4], f64[4, 4]: ')
    assert sentence.endswith(
        "; change the layer to a supported form (docs/operators.md lists them) or keep it out of the model."
    )
