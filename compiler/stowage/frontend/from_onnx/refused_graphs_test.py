# SPDX-License-Identifier: Apache-2.0
"""A graph that contradicts ONNX, itself or what it declares is refused in one sentence that names the node."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.model_making import conv_model, floats, model_of, node_model, relu_model
from stowage.frontend.from_onnx.refusing import AGAIN, CORRECT, Case, edited, refusal


def weights_with(value: float) -> ModelProto:
    weights = np.ones((4, 3, 3, 3), np.float32)
    weights[1, 2, 0, 1] = value
    return conv_model(weights)


def cyclic() -> ModelProto:
    nodes = [
        helper.make_node("Add", ["x", "b"], ["a"], name="first"),
        helper.make_node("Relu", ["a"], ["b"], name="second"),
    ]
    return model_of(nodes, [floats("x", [4])], [floats("b", [4])])


def duplicate_tensor() -> ModelProto:
    nodes = [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Tanh", ["x"], ["y"])]
    return model_of(nodes, [floats("x", [4])], [floats("y", [4])])


def quantised(scale: float) -> ModelProto:
    nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"], name="q")]
    outputs = [helper.make_tensor_value_info("y", TensorProto.INT8, [1, 4])]
    constants = {"s": np.array(scale, np.float32), "z": np.array(0, np.int8)}
    return model_of(nodes, [floats("x", [1, 4])], outputs, constants)


CASES: list[Case] = [
    (
        "nan",
        weights_with(np.nan),
        "Conv node 'c': element [1, 2, 0, 1] of the constant 'w' is nan; train the model again.",
    ),
    (
        "inf",
        weights_with(np.inf),
        "Conv node 'c': element [1, 2, 0, 1] of the constant 'w' is inf; train the model again.",
    ),
    (
        "nan in arithmetic",
        node_model("Mul", [2, 2], np.array([1, np.nan], np.float32)),
        "Mul node 'n': element [1] of the constant 'c0' is nan; train the model again.",
    ),
    (
        "cycle",
        cyclic(),
        "Add node 'first': the graph is cyclic: 2 nodes need their own results (Add node 'first', Relu node 'second'); "
        f"use an operator with explicit state for a recurrence, and {AGAIN}",
    ),
    (
        "undefined tensor",
        model_of([helper.make_node("Add", ["x", "zz"], ["y"], name="a")], [floats("x", [4])], [floats("y", [4])]),
        f"Add node 'a': it reads the tensor 'zz', which no node, input or initialiser makes; {AGAIN}",
    ),
    (
        "undefined output",
        model_of([helper.make_node("Relu", ["x"], ["y"])], [floats("x", [4])], [floats("z", [4])]),
        f"output 'z': no node, input or initialiser makes it; {AGAIN}",
    ),
    (
        "no outputs",
        edited(relu_model(), lambda model: model.graph.ClearField("output")),
        f"the model has no outputs; {AGAIN}",
    ),
    ("duplicate", duplicate_tensor(), f"tensor 'y': the name is given twice, but must be unique; {AGAIN}"),
    (
        "rank",
        conv_model(np.ones((4, 3, 3), np.float32)),
        f"Conv node 'c': the weights have shape [4, 3, 3], but the input has [1, 3, 8, 8]; {AGAIN}",
    ),
    (
        "channels",
        conv_model(np.ones((4, 2, 3, 3), np.float32)),
        f"Conv node 'c': weights take 2 channels in each of 1 groups, but input has 3; {CORRECT}",
    ),
    (
        "broadcast",
        node_model("Add", [2, 3], np.ones(4, np.float32)),
        f"Add node 'n': shapes [2, 3] and [4] do not broadcast: extents 3 and 4 meet; {CORRECT}",
    ),
    (
        "declared shape",
        edited(relu_model(), lambda model: model.graph.output[0].CopyFrom(floats("y", [1, 5]))),
        "Relu node 'r': the file declares shape [1, 5], but what the model computes has shape [1, 4]; "
        "run onnx.shape_inference over the model or export it again.",
    ),
    (
        "declared type",
        edited(
            relu_model(), lambda model: setattr(model.graph.output[0].type.tensor_type, "elem_type", TensorProto.INT8)
        ),
        "Relu node 'r': the file declares element type i8, but what the model computes is f32; "
        "run onnx.shape_inference over the model or export it again.",
    ),
    (
        "zero scale",
        quantised(0),
        "QuantizeLinear node 'q': a scale is 0, but must be positive; quantise the model again.",
    ),
    (
        "negative scale",
        quantised(-0.5),
        "QuantizeLinear node 'q': a scale is -0.5, but must be positive; quantise the model again.",
    ),
    (
        "reshape",
        node_model("Reshape", [2, 3], np.array([4, -1])),
        f"Reshape node 'n': input has 6 elements, but shape [4, 1] has 4; {CORRECT}",
    ),
    (
        "axis",
        node_model("Concat", [2, 3], np.ones((2, 3), np.float32), axis=2),
        f"Concat node 'n': axis 2 does not exist in a tensor of rank 2; {AGAIN}",
    ),
]


@pytest.mark.parametrize(("model", "sentence"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_graph_is_refused(model: ModelProto | bytes, sentence: str, tmp_path: Path) -> None:
    assert refusal(model, tmp_path, InvalidModel) == sentence


def test_checker_knows_attributes(tmp_path: Path) -> None:
    model = node_model("Relu", [4], slope=1)
    assert "Unrecognized attribute: slope for operator Relu" in refusal(model, tmp_path, InvalidModel)


def test_dimension_that_is_not_there(tmp_path: Path) -> None:
    node = helper.make_node("Relu", ["x"], ["y"])
    model = model_of([node], [floats("x", ["batch", "time"])], [floats("y", None)])
    sentence = refusal(model, tmp_path, InvalidModel, {"batch": 1, "tiem": 2})
    assert sentence == (
        "dimension 'tiem': the model has no such dimension, its dynamic dimensions are batch, time; correct it."
    )
    sentence = refusal(model, tmp_path, InvalidModel, {"batch": 0})
    assert sentence == "dimension 'batch': its value is 0; give a positive number."


def test_duplicate_constants_and_initialisers(tmp_path: Path) -> None:
    model = conv_model()
    model.graph.initializer.append(numpy_helper.from_array(np.ones(1, np.float32), "w"))
    assert refusal(model, tmp_path, InvalidModel).startswith("initialiser 'w': the name is given twice")
