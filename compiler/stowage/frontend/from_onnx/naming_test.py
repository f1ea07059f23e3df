# SPDX-License-Identifier: Apache-2.0
"""Names, order and outputs of the graph are those of the file; what is constant in it is computed while importing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from stowage.frontend.from_onnx.model_making import conv_model, floats, model_of, relu_model, saved
from stowage.frontend.from_onnx.oracle import check_import, imported
from stowage.frontend.onnx_model import read_onnx
from stowage.ir.ops.movement import Reshape


def test_node_and_value_names(tmp_path: Path) -> None:
    graph = check_import(conv_model(), tmp_path)
    names = {node.name: node.output.name for node in graph.nodes}
    assert names == {"b": "b", "w.ohwi": "w.ohwi", "c.to_nhwc": "y.to_nhwc", "c": "y.conv2d", "c.to_nchw": "y"}
    assert [value.name for value in graph.inputs] == ["x"]


def test_unnamed_and_equally_named_nodes(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["a"]),
        helper.make_node("Tanh", ["a"], ["b"], name="same"),
        helper.make_node("Tanh", ["b"], ["y"], name="same"),
    ]
    graph = imported(model_of(nodes, [floats("x", [4])], [floats("y", [4])]), tmp_path)
    assert [node.name for node in graph.nodes] == ["a", "same", "same.1"]


def test_outputs_that_share_a_value(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Identity", ["r"], ["first"]),
        helper.make_node("Identity", ["r"], ["second"]),
        helper.make_node("Identity", ["x"], ["third"]),
        helper.make_node("Tanh", ["r"], ["fourth"]),
    ]
    outputs = [floats(name, [4]) for name in ("first", "second", "third", "fourth")]
    graph = check_import(model_of(nodes, [floats("x", [4])], outputs), tmp_path)
    assert sum(isinstance(node.op, Reshape) for node in graph.nodes) == 2


def test_constant_output(tmp_path: Path) -> None:
    model = model_of([], [], [floats("k", [2])], {"k": np.array([1, 2], np.float32)})
    graph = imported(model, tmp_path)
    assert [value.name for value in graph.outputs] == ["k"]


def test_nodes_out_of_order_are_sorted(tmp_path: Path) -> None:
    nodes = [helper.make_node("Tanh", ["r"], ["y"]), helper.make_node("Relu", ["x"], ["r"])]
    graph = imported(model_of(nodes, [floats("x", [4])], [floats("y", [4])]), tmp_path)
    assert [node.op.mnemonic for node in graph.nodes] == ["relu", "tanh"]


def test_unneeded_nodes_and_constants_are_left_out(tmp_path: Path) -> None:
    nodes = [helper.make_node("Add", ["x", "k"], ["y"]), helper.make_node("Mul", ["x", "l"], ["dead"])]
    constants = {"k": np.ones(4, np.float32), "l": np.zeros(4, np.float32), "unused": np.full(4, np.nan, np.float32)}
    graph = check_import(model_of(nodes, [floats("x", [4])], [floats("y", [4])], constants), tmp_path)
    assert [node.op.mnemonic for node in graph.nodes] == ["constant", "add"]
    assert len(graph.constants) == 1


def test_initialisers_among_the_inputs(tmp_path: Path) -> None:
    """As files of IR version 3 and older have it, and newer ones for defaults."""
    nodes = [helper.make_node("Add", ["x", "k"], ["y"])]
    inputs = [floats("x", [4]), floats("k", [4])]
    graph = imported(model_of(nodes, inputs, [floats("y", [4])], {"k": np.ones(4, np.float32)}), tmp_path)
    assert [value.name for value in graph.inputs] == ["x"]


def test_dynamic_dimensions_get_their_values(tmp_path: Path) -> None:
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    inputs, outputs = [floats("x", ["batch", None, 4])], [floats("y", ["batch", "n", 2])]
    path = saved(model_of(nodes, inputs, outputs, {"w": np.ones((4, 2), np.float32)}), tmp_path)
    graph = read_onnx(path, {"batch": 3, "x.1": 5})
    assert graph.inputs[0].type.shape == (3, 5, 4)
    assert graph.outputs[0].type.shape == (3, 5, 2)


def test_computed_shapes_are_constants(tmp_path: Path) -> None:
    """What PyTorch exports for x.view(x.size(0), -1): a target that is computed from the input's shape."""
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Constant", [], ["zero"], value_int=0),
        helper.make_node("Gather", ["shape", "zero"], ["batch"]),
        helper.make_node("Constant", [], ["axes"], value_ints=[0]),
        helper.make_node("Unsqueeze", ["batch", "axes"], ["head"]),
        helper.make_node("Constant", [], ["rest"], value_ints=[-1]),
        helper.make_node("Concat", ["head", "rest"], ["target"], axis=0),
        helper.make_node("Reshape", ["x", "target"], ["y"]),
    ]
    graph = check_import(model_of(nodes, [floats("x", [2, 3, 4])], [floats("y", [2, 12])]), tmp_path)
    assert [node.op for node in graph.nodes] == [Reshape((2, 12))]


@pytest.mark.parametrize(
    "form",
    [
        {"value": helper.make_tensor("t", TensorProto.FLOAT, [2], [0.5, 1.5])},
        {"value_float": 0.5},
        {"value_floats": [0.5, 1.5]},
    ],
    ids=str,
)
def test_forms_of_constant(form: dict[str, object], tmp_path: Path) -> None:
    nodes = [helper.make_node("Constant", [], ["k"], **form), helper.make_node("Mul", ["x", "k"], ["y"])]  # type: ignore[arg-type]
    check_import(model_of(nodes, [floats("x", [2])], [floats("y", [2])]), tmp_path)


def test_large_constants_are_not_computed(tmp_path: Path) -> None:
    """An Expand to 2 to the power of 40 elements must not be tried."""
    nodes = [helper.make_node("Expand", ["k", "shape"], ["e"]), helper.make_node("Add", ["x", "e"], ["y"])]
    constants = {"k": np.ones(1, np.float32), "shape": np.array([2**20, 2**20])}
    model = model_of(nodes, [floats("x", [1])], [floats("y", None)], constants)
    with pytest.raises(Exception, match=r"shape \[1048576, 1048576\] takes 4398046511104 bytes"):
        imported(model, tmp_path)


def test_functions_are_inlined(tmp_path: Path) -> None:
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    body = [helper.make_node("Relu", ["a"], ["m"]), helper.make_node("Tanh", ["m"], ["b"])]
    function = helper.make_function("own", "F", ["a"], ["b"], body, imports)
    nodes = [helper.make_node("F", ["x"], ["t"], domain="own"), helper.make_node("F", ["t"], ["y"], domain="own")]
    graph = helper.make_graph(nodes, "test", [floats("x", [4])], [floats("y", [4])])
    model = helper.make_model(graph, functions=[function], opset_imports=imports, ir_version=10)
    assert [node.op.mnemonic for node in check_import(model, tmp_path).nodes] == ["relu", "tanh"] * 2


@pytest.mark.parametrize(
    ("stem", "name"),
    [("kws", "kws"), ("my-model.v2", "my_model_v2"), ("8bit", "model_8bit"), ("int", "int_model"), ("é", "model")],
)
def test_graph_name_from_the_file(stem: str, name: str, tmp_path: Path) -> None:
    assert read_onnx(saved(relu_model(), tmp_path, f"{stem}.onnx")).name == name
    assert read_onnx(saved(relu_model(), tmp_path, f"{stem}.onnx"), name="given").name == "given"


def test_huge_depths_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    index = helper.make_tensor_value_info("x", 7, [4])
    nodes = [helper.make_node("OneHot", ["x", "depth", "values"], ["y"])]
    constants = {"depth": np.array(2**40), "values": np.array([0, 1], np.float32)}
    with pytest.raises(Exception, match=r"shape \[4, 1099511627776\] takes"):
        imported(model_of(nodes, [index], [floats("y", None)], constants), tmp_path)
