# SPDX-License-Identifier: Apache-2.0
"""What is well formed but not supported is refused in one sentence that says what would be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper

from stowage.errors import UnsupportedModel
from stowage.frontend.from_onnx.model_making import floats, model_of, node_model, relu_model
from stowage.frontend.from_onnx.refusing import Case, edited, refusal

NEWEST = onnx.defs.onnx_opset_version()


def computed_repeats() -> ModelProto:
    node = helper.make_node("Tile", ["x", "r"], ["y"], name="t")
    inputs = [floats("x", [1, 4]), helper.make_tensor_value_info("r", TensorProto.INT64, [2])]
    return model_of([node], inputs, [floats("y", None)])


def sequence_input() -> ModelProto:
    info = helper.make_tensor_sequence_value_info("x", TensorProto.FLOAT, [4])
    return model_of([helper.make_node("Relu", ["x"], ["y"])], [info], [floats("y", [4])])


def with_branch() -> ModelProto:
    branch = helper.make_graph([helper.make_node("Relu", ["x"], ["r"])], "branch", [], [floats("r", [4])])
    node = helper.make_node("If", ["c"], ["y"], name="i", then_branch=branch, else_branch=branch)
    condition = helper.make_tensor_value_info("c", TensorProto.BOOL, [])
    return model_of([node], [floats("x", [4]), condition], [floats("y", [4])])


def exploding_functions() -> ModelProto:
    """Each function calls the next twice: 2 to the power of 40 nodes."""
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]

    def body(callee: str) -> list[onnx.NodeProto]:
        domain = "own" if callee.startswith("F") else ""
        return [
            helper.make_node(callee, ["x"], ["m"], domain=domain),
            helper.make_node(callee, ["m"], ["y"], domain=domain),
        ]

    functions = [
        helper.make_function("own", f"F{k}", ["x"], ["y"], body(f"F{k + 1}" if k < 40 else "Relu"), imports)
        for k in range(41)
    ]
    graph = helper.make_graph(
        [helper.make_node("F0", ["x"], ["y"], domain="own")], "test", [floats("x", [4])], [floats("y", [4])]
    )
    return helper.make_model(graph, functions=functions, opset_imports=imports, ir_version=10)


CASES: list[Case] = [
    (
        "operator",
        node_model("StringNormalizer", [4]),
        "StringNormalizer node 'n': no importer for the operator StringNormalizer; "
        "replace it by supported operators and export the model again.",
    ),
    (
        "foreign domain",
        model_of(
            [helper.make_node("FusedConv", ["x"], ["y"], name="f", domain="com.microsoft")],
            [floats("x", [4])],
            [floats("y", [4])],
        ),
        "FusedConv node 'f': no importer for the operator com.microsoft::FusedConv; "
        "replace it by supported operators and export the model again.",
    ),
    (
        "control flow",
        with_branch(),
        "If node 'i': the condition ('c') is computed at run time, but must be constant; "
        "make it an initialiser, or simplify the model with its input shapes fixed.",
    ),
    (
        "at run time",
        node_model("NonZero", [4]),
        "NonZero node 'n': NonZero is supported on constants alone, but this one depends on the model's inputs; "
        "replace it by supported operators and export the model again.",
    ),
    (
        "attribute",
        node_model("Resize", [1, 1, 4, 4], np.zeros(0, np.float32), np.array([1, 1, 2, 2], np.float32), mode="area"),
        "Resize node 'n': attribute mode is 'area'; use 'nearest' or 'linear' or 'cubic'.",
    ),
    (
        "old opset",
        node_model("Add", [4], np.ones(4, np.float32), opset=6),
        f"the model uses operator set 6, and Stowage knows 7 to {NEWEST}; "
        f"export for one of these or use onnx.version_converter.convert_version(model, {NEWEST}).",
    ),
    (
        "new opset",
        edited(relu_model(), lambda model: setattr(model.opset_import[0], "version", NEWEST + 1)),
        f"the model uses operator set {NEWEST + 1}, and Stowage knows 7 to {NEWEST}; "
        f"export for one of these or use onnx.version_converter.convert_version(model, {NEWEST}).",
    ),
    (
        "string input",
        model_of(
            [helper.make_node("Identity", ["x"], ["y"])],
            [helper.make_tensor_value_info("x", TensorProto.STRING, [4])],
            [helper.make_tensor_value_info("y", TensorProto.STRING, [4])],
        ),
        "input 'x': element type STRING is not supported; use float32 or a signed or unsigned integer of 8 to 64 bits.",
    ),
    (
        "bfloat16 constant",
        model_of(
            [
                helper.make_node("Cast", ["k"], ["c"], name="n", to=TensorProto.BFLOAT16),
                helper.make_node("Add", ["x", "c"], ["y"]),
            ],
            [floats("x", [4])],
            [floats("y", [4])],
            {"k": np.ones(4, np.float32)},
        ),
        "Cast node 'n': element type bfloat16 is not supported; "
        "use float32 or a signed or unsigned integer of 8 to 64 bits.",
    ),
    ("sequence input", sequence_input(), "input 'x': it is a sequence, not a tensor; use plain tensors."),
    (
        "dynamic",
        model_of([helper.make_node("Relu", ["x"], ["y"])], [floats("x", ["batch", 4])], [floats("y", ["batch", 4])]),
        "input 'x': its dimension 'batch' is dynamic, but firmware needs a fixed one; "
        'give it a value: --dimension batch=1, or dimensions = {"batch": 1} in a BUILD file.',
    ),
    (
        "dynamic without name",
        model_of([helper.make_node("Relu", ["x"], ["y"])], [floats("x", [1, None])], [floats("y", None)]),
        "input 'x': its dimension 'x.1' is dynamic, but firmware needs a fixed one; "
        'give it a value: --dimension x.1=1, or dimensions = {"x.1": 1} in a BUILD file.',
    ),
    ("unknown rank", node_model("Relu", None), "input 'x': its shape is unknown; export the model with input shapes."),
    (
        "huge tensor",
        node_model("Relu", [2**31, 2**31]),
        f"input 'x': a tensor of shape [{2**31}, {2**31}] takes {2**64} bytes, over {2**31 - 1}; make it smaller.",
    ),
    (
        "huge result",
        node_model("Pad", [4], np.array([0, 2**40])),
        f"Pad node 'n': a tensor of shape [{2**40 + 4}] takes "
        f"{4 * (2**40 + 4)} bytes, over {2**31 - 1}; make it smaller.",
    ),
    (
        "huge stride",
        node_model("MaxPool", [1, 1, 8, 8], kernel_shape=[2, 2], strides=[2**40, 1]),
        f"MaxPool node 'n': attribute strides is [{2**40}, 1]; use numbers up to 65535.",
    ),
    (
        "many axes",
        node_model("Unsqueeze", [4], np.arange(9)),
        "Unsqueeze node 'n': a tensor has 10 axes, over 8; reshape it to fewer.",
    ),
    (
        "repeats at run time",
        computed_repeats(),
        "Tile node 't': the repeats ('r') is computed at run time, but must be constant; "
        "make it an initialiser, or simplify the model with its input shapes fixed.",
    ),
    (
        "samples by the size of the region",
        node_model("RoiAlign", [1, 1, 4, 4], np.zeros((1, 4), np.float32), np.zeros(1, np.int64)),
        "RoiAlign node 'n': attribute sampling_ratio is 0: it takes as many samples as the regions are large; "
        "give it a positive number.",
    ),
    (
        "regions of a signal",
        node_model("RoiAlign", [1, 4], np.zeros((1, 4), np.float32), np.zeros(1, np.int64), sampling_ratio=1),
        "RoiAlign node 'n': operand 0 has shape [1, 4], but only images are supported; use four axes.",
    ),
    (
        "long tables",
        node_model("Resize", [1, 1, 4, 4], np.zeros(0, np.float32), np.array([1, 1, 1, 1e6], np.float32), mode="cubic"),
        "Resize node 'n': an axis of 4 elements is resized to 4000000; use axes of up to 65535.",
    ),
    (
        "large blocks",
        node_model("Col2Im", [1, 4096, 1], np.array([64, 64]), np.array([64, 64])),
        "Col2Im node 'n': its blocks have 4096 elements; use blocks of at most 1024.",
    ),
    (
        "four spatial axes",
        node_model("GlobalAveragePool", [1, 2, 3, 4, 5, 6]),
        "GlobalAveragePool node 'n': operand 0 of shape [1, 2, 3, 4, 5, 6] has 4 spatial axes; use one to three.",
    ),
    (
        "exploding functions",
        exploding_functions(),
        "the model's own functions unfold to more than 131072 nodes; simplify the model.",
    ),
]


@pytest.mark.parametrize(("model", "sentence"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_model_is_refused(model: ModelProto | bytes, sentence: str, tmp_path: Path) -> None:
    assert refusal(model, tmp_path, UnsupportedModel) == sentence
