# SPDX-License-Identifier: Apache-2.0
"""Inputs that are constants of a build: what hangs on them is decided, and what is no value for them is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.model_making import floats, model_of, saved
from stowage.frontend.onnx_model import read_onnx
from stowage.ir.reference import run


def by_rate() -> ModelProto:
    """Twice x for 16000 samples a second, else thrice."""
    branches = {
        f"{name}_branch": helper.make_graph(
            [helper.make_node("Mul", ["x", name], ["product"])],
            name,
            [],
            [helper.make_empty_tensor_value_info("product")],
        )
        for name in ("two", "three")
    }
    nodes = [
        helper.make_node("Equal", ["rate", "sixteen"], ["is_sixteen"]),
        helper.make_node(
            "If", ["is_sixteen"], ["y"], then_branch=branches["two_branch"], else_branch=branches["three_branch"]
        ),
    ]
    rate = helper.make_tensor_value_info("rate", TensorProto.INT64, [])
    constants = {
        "sixteen": np.array(16000, np.int64),
        "two": np.array(2, np.float32),
        "three": np.array(3, np.float32),
    }
    return model_of(nodes, [floats("x", [3]), rate], [floats("y", [3])], constants)


@pytest.mark.parametrize(("rate", "factor"), [("16000", 2), ("8000", 3)])
def test_a_branch_is_taken(rate: str, factor: int, tmp_path: Path) -> None:
    graph = read_onnx(saved(by_rate(), tmp_path), fixed={"rate": rate})
    assert [value.name for value in graph.inputs] == ["x"]
    x = np.array([1, -2, 4], np.float32)
    np.testing.assert_array_equal(run(graph, {"x": x})["y"], factor * x)


def test_a_list_says_how_long_an_open_axis_is(tmp_path: Path) -> None:
    axes = helper.make_tensor_value_info("axes", TensorProto.INT64, ["n"])
    nodes = [helper.make_node("ReduceSum", ["x", "axes"], ["y"], keepdims=0)]
    model = model_of(nodes, [floats("x", [2, 3, 4]), axes], [floats("y", [3])])
    graph = read_onnx(saved(model, tmp_path), fixed={"axes": "0, 2"})
    assert graph.outputs[0].type.shape == (3,)


SENTENCES = {
    "9e3": """input 'rate': "9e3" is no number of its element type i64; write numbers""",
    "9223372036854775808": "is no number of its element type i64",
    "1,2": "input 'rate': 2 numbers do not fill its shape []; give every element",
    "": "input 'rate': 0 numbers do not fill its shape []",
}


@pytest.mark.parametrize("text", SENTENCES)
def test_what_is_no_value_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidModel) as refusal:
        read_onnx(saved(by_rate(), tmp_path), fixed={"rate": text})
    assert SENTENCES[text] in str(refusal.value)


def test_an_unknown_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidModel) as refusal:
        read_onnx(saved(by_rate(), tmp_path), fixed={"two": "4"})
    sentence = "input 'two': the model has no such input to be given a value; its inputs are 'x', 'rate'."
    assert str(refusal.value).endswith(sentence)
