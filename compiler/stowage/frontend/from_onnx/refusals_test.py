# SPDX-License-Identifier: Apache-2.0
"""Every fault of a model file is answered with one sentence: file, place, reason, remedy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from stowage.errors import InvalidModel, StowageError, UnsupportedModel
from stowage.frontend.from_onnx.model_making import conv_model, floats, model_of, relu_model, saved
from stowage.frontend.onnx_model import read_onnx

NEWEST = onnx.defs.onnx_opset_version()
AGAIN = "export the model again."
CORRECT = "correct the model's shapes and types."
KEEP = "keep the external data beside the model as it was exported, or save the model with its weights inside."
GIVE = "give the path of a model that an ONNX exporter wrote."


def refusal(
    model: ModelProto | bytes, folder: Path, kind: type[StowageError], dimensions: Mapping[str, int] | None = None
) -> str:
    """The sentence, without the folder's name, after checking that it is one and of the right kind."""
    path = saved(model, folder)
    with pytest.raises(kind) as caught:
        read_onnx(path, dimensions or {})
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.startswith(f"{path}: ")
    return sentence.removeprefix(f"{path}: ")


def truncated() -> bytes:
    return conv_model().SerializeToString()[:200]


def weights_with(value: float) -> ModelProto:
    weights = np.ones((4, 3, 3, 3), np.float32)
    weights[1, 2, 0, 1] = value
    return conv_model(weights)


def edited(model: ModelProto, edit: Callable[[ModelProto], object]) -> ModelProto:
    edit(model)
    return model


def node_model(
    op_type: str, shape: list[int] | None, *more: np.ndarray, opset: int = 21, **attributes: object
) -> ModelProto:
    """One node "n" that reads "x" of float32 and the constants "c0", "c1", …"""
    constants = {f"c{index}": array for index, array in enumerate(more)}
    node = helper.make_node(op_type, ["x", *constants], ["y"], name="n", **attributes)
    return model_of([node], [floats("x", shape)], [floats("y", None)], constants, opset)


def cyclic() -> ModelProto:
    nodes = [
        helper.make_node("Add", ["x", "b"], ["a"], name="first"),
        helper.make_node("Relu", ["a"], ["b"], name="second"),
    ]
    return model_of(nodes, [floats("x", [4])], [floats("b", [4])])


def disconnected_output() -> ModelProto:
    nodes = [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Relu", ["k"], ["z"])]
    outputs = [floats("y", [4]), floats("z", [4])]
    return model_of(nodes, [floats("x", [4])], outputs, {"k": np.ones(4, np.float32)})


def disconnected_input() -> ModelProto:
    node = helper.make_node("Relu", ["x"], ["y"])
    return model_of([node], [floats("x", [4]), floats("unused", [4])], [floats("y", [4])])


def raw_data_too_short() -> ModelProto:
    model = conv_model()
    tensor = model.graph.initializer[0]
    tensor.raw_data = tensor.raw_data[:-4]
    return model


def external(location: str) -> ModelProto:
    model = conv_model()
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    return model


def quantised(scale: float) -> ModelProto:
    nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"], name="q")]
    outputs = [helper.make_tensor_value_info("y", TensorProto.INT8, [1, 4])]
    constants = {"s": np.array(scale, np.float32), "z": np.array(0, np.int8)}
    return model_of(nodes, [floats("x", [1, 4])], outputs, constants)


def computed_scale() -> ModelProto:
    node = helper.make_node("QuantizeLinear", ["x", "s"], ["y"], name="q")
    outputs = [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 4])]
    return model_of([node], [floats("x", [1, 4]), floats("s", [])], outputs)


def duplicate_tensor() -> ModelProto:
    nodes = [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Tanh", ["x"], ["y"])]
    return model_of(nodes, [floats("x", [4])], [floats("y", [4])])


def sequence_input() -> ModelProto:
    info = helper.make_tensor_sequence_value_info("x", TensorProto.FLOAT, [4])
    return model_of([helper.make_node("Relu", ["x"], ["y"])], [info], [floats("y", [4])])


def with_branch() -> ModelProto:
    branch = helper.make_graph([helper.make_node("Relu", ["x"], ["r"])], "branch", [], [floats("r", [4])])
    node = helper.make_node("If", ["c"], ["y"], name="i", then_branch=branch, else_branch=branch)
    condition = helper.make_tensor_value_info("c", TensorProto.BOOL, [])
    return model_of([node], [floats("x", [4]), condition], [floats("y", [4])])


def recursive_function() -> ModelProto:
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    call = helper.make_node("F", ["x"], ["y"], domain="own")
    graph = helper.make_graph([call], "test", [floats("x", [4])], [floats("y", [4])])
    function = helper.make_function("own", "F", ["x"], ["y"], [call], imports)
    return helper.make_model(graph, functions=[function], opset_imports=imports, ir_version=10)


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


def without_opset() -> ModelProto:
    return edited(relu_model(), lambda model: model.ClearField("opset_import"))


INVALID: list[tuple[str, ModelProto | bytes, str]] = [
    ("empty", b"", f"the file is empty; {GIVE}"),
    ("png", b"\x89PNG\r\n\x1a\n" + bytes(64), f"this is a PNG image, not an ONNX model; {GIVE}"),
    (
        "tflite",
        b"\x1c\0\0\0TFL3" + bytes(64),
        f"this is a TensorFlow Lite model, not an ONNX model; {GIVE}",
    ),
    ("text", b"hello, world\n", f"this is not an ONNX model: its bytes do not decode as one; {GIVE}"),
    ("zeros", bytes(100), f"this is not an ONNX model: its bytes do not decode as one; {GIVE}"),
    (
        "truncated",
        truncated(),
        "the ONNX model is cut short or corrupt (the file has 200 bytes); copy or export it again.",
    ),
    (
        "not text",
        relu_model().SerializeToString().replace(b"Relu", b"\xff\xfe\xfd\xfc"),
        "the ONNX model is corrupt: the name b'\\xff\\xfe\\xfd\\xfc' is not UTF-8; copy or export it again.",
    ),
    (
        "no opset",
        without_opset(),
        "the model imports no version of ONNX's operator set, but must import one; export it again.",
    ),
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
        "output of nothing",
        disconnected_output(),
        f"output 'z': the graph is disconnected: it depends on no input of the model; remove the output or {AGAIN}",
    ),
    (
        "input to nothing",
        disconnected_input(),
        f"input 'unused': the graph is disconnected: no output of the model depends on it; remove the input or {AGAIN}",
    ),
    (
        "no outputs",
        edited(relu_model(), lambda model: model.graph.ClearField("output")),
        f"the model has no outputs; {AGAIN}",
    ),
    ("duplicate", duplicate_tensor(), f"tensor 'y': the name is given twice, but must be unique; {AGAIN}"),
    (
        "short data",
        raw_data_too_short(),
        f"initialiser 'w': its shape [4, 3, 3, 3] has 108 elements, but the file holds 107 of them; {AGAIN}",
    ),
    (
        "huge claim",
        edited(conv_model(), lambda model: model.graph.initializer[0].dims.__setitem__(0, 2**62)),
        f"initialiser 'w': its shape [{2**62}, 3, 3, 3] has {27 * 2**62} elements, "
        f"but the file holds 108 of them; {AGAIN}",
    ),
    (
        "negative extent",
        edited(conv_model(), lambda model: model.graph.initializer[0].dims.__setitem__(0, -4)),
        f"initialiser 'w': its shape [-4, 3, 3, 3] has a negative extent; {AGAIN}",
    ),
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
        "outside",
        external("../secret"),
        f"initialiser 'w': keeps its data in '../secret', outside of the model's folder; {KEEP}",
    ),
    (
        "absolute",
        external("/etc/passwd"),
        f"initialiser 'w': keeps its data in '/etc/passwd', outside of the model's folder; {KEEP}",
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
    (
        "recursion",
        recursive_function(),
        "the model's own functions cannot be put in place of their calls ('F' calls itself); "
        "inline them with onnx.inliner and check the model.",
    ),
]

UNSUPPORTED: list[tuple[str, ModelProto, str]] = [
    (
        "operator",
        node_model("Erf", [4]),
        "Erf node 'n': no importer for the operator Erf; replace it by supported operators and export the model again.",
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
        "If node 'i': no importer for the operator If; replace it by supported operators and export the model again.",
    ),
    (
        "at run time",
        node_model("Sqrt", [4]),
        "Sqrt node 'n': Sqrt is supported on constants alone, but this one depends on the model's inputs; "
        "replace it by supported operators and export the model again.",
    ),
    (
        "attribute",
        node_model("Resize", [1, 1, 4, 4], np.zeros(0, np.float32), np.array([1, 1, 2, 2], np.float32), mode="cubic"),
        "Resize node 'n': attribute mode is 'cubic'; use 'nearest' or 'linear'.",
    ),
    (
        "old opset",
        node_model("Relu", [4], opset=6),
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
        "empty tensor",
        node_model("Relu", [0, 4]),
        "input 'x': a tensor of shape [0, 4] has no elements; remove what makes it.",
    ),
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
        "many axes",
        node_model("Unsqueeze", [4], np.arange(9)),
        "Unsqueeze node 'n': a tensor has 10 axes, over 8; reshape it to fewer.",
    ),
    (
        "scale at run time",
        computed_scale(),
        "QuantizeLinear node 'q': the scale ('s') is computed at run time, but must be constant; "
        "make it an initialiser, or simplify the model with its input shapes fixed.",
    ),
    (
        "three spatial axes",
        node_model("GlobalAveragePool", [1, 2, 3, 4, 5]),
        "GlobalAveragePool node 'n': operand 0 of shape [1, 2, 3, 4, 5] has 3 spatial axes; use one or two.",
    ),
    (
        "exploding functions",
        exploding_functions(),
        "the model's own functions unfold to more than 131072 nodes; simplify the model.",
    ),
]


@pytest.mark.parametrize(("model", "sentence"), [case[1:] for case in INVALID], ids=[case[0] for case in INVALID])
def test_invalid(model: ModelProto | bytes, sentence: str, tmp_path: Path) -> None:
    assert refusal(model, tmp_path, InvalidModel) == sentence


@pytest.mark.parametrize(
    ("model", "sentence"), [case[1:] for case in UNSUPPORTED], ids=[case[0] for case in UNSUPPORTED]
)
def test_unsupported(model: ModelProto, sentence: str, tmp_path: Path) -> None:
    assert refusal(model, tmp_path, UnsupportedModel) == sentence


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(
        InvalidModel, match=r"none\.onnx: cannot be read \(No such file or directory\); give the path of "
    ):
        read_onnx(tmp_path / "none.onnx")


def test_folder_instead_of_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidModel, match=r"cannot be read \(Is a directory\); give the path of "):
        read_onnx(tmp_path)


def test_bad_name(tmp_path: Path) -> None:
    path = saved(relu_model(), tmp_path)
    with pytest.raises(InvalidModel, match="the model's name 'two words' is no C identifier; give a name of letters, "):
        read_onnx(path, name="two words")


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


def test_link_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(bytes(432))
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "weights").symlink_to(tmp_path / "secret")
    assert "'weights', outside of the model's folder" in refusal(external("weights"), inside, InvalidModel)


def test_external_data_too_short(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(bytes(100))
    model = external("weights")
    assert "holds 25 of them" in refusal(model, tmp_path, InvalidModel)
    model.graph.initializer[0].external_data.add(key="length", value=str(2**31))
    sentence = refusal(model, tmp_path, InvalidModel)
    assert "initialiser 'w': claims bytes 0 to 2147483648 of 'weights', which has 100; " in sentence


def test_external_data_is_read(tmp_path: Path) -> None:
    weights = np.arange(108, dtype=np.float32)
    (tmp_path / "weights").write_bytes(bytes(8) + weights.tobytes())
    model = external("weights")
    model.graph.initializer[0].external_data.add(key="offset", value="8")
    graph = read_onnx(saved(model, tmp_path))
    expected = weights.reshape(4, 3, 3, 3).transpose(0, 2, 3, 1)
    assert any(np.array_equal(array, expected) for array in graph.constants.values())


def test_duplicate_constants_and_initialisers(tmp_path: Path) -> None:
    model = conv_model()
    model.graph.initializer.append(numpy_helper.from_array(np.ones(1, np.float32), "w"))
    assert refusal(model, tmp_path, InvalidModel).startswith("initialiser 'w': the name is given twice")
