# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a file as such, or with the data in it, is said in one sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.model_making import conv_model, floats, relu_model, saved
from stowage.frontend.from_onnx.refusing import AGAIN, Case, edited, refusal
from stowage.frontend.onnx_model import read_onnx

KEEP = "keep the external data beside the model as it was exported, or save the model with its weights inside."
GIVE = "give the path of a model that an ONNX exporter wrote."


def truncated() -> bytes:
    data: bytes = conv_model().SerializeToString()
    return data[:200]


def without_opset() -> ModelProto:
    return edited(relu_model(), lambda model: model.ClearField("opset_import"))


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


def recursive_function() -> ModelProto:
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    call = helper.make_node("F", ["x"], ["y"], domain="own")
    graph = helper.make_graph([call], "test", [floats("x", [4])], [floats("y", [4])])
    function = helper.make_function("own", "F", ["x"], ["y"], [call], imports)
    return helper.make_model(graph, functions=[function], opset_imports=imports, ir_version=10)


CASES: list[Case] = [
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
        "recursion",
        recursive_function(),
        "the model's own functions cannot be put in place of their calls ('F' calls itself); "
        "inline them with onnx.inliner and check the model.",
    ),
]


@pytest.mark.parametrize(("model", "sentence"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_file_is_refused(model: ModelProto | bytes, sentence: str, tmp_path: Path) -> None:
    assert refusal(model, tmp_path, InvalidModel) == sentence


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
