# SPDX-License-Identifier: Apache-2.0
"""The committed files: sound models, honest expected outputs, and the accuracy that the README names.

Outputs are compared within what another processor's order of additions may change: 1e-5 of the value for float32, one
step for int8. The class must be the same for every image.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import TensorProto

from examples.digits import dataset
from examples.digits.oracle import answers, reference_answers
from examples.digits.quantise import initialiser, quantisation

FOLDER = Path(__file__).parent
MODELS = ["f32", "int8", "qoperator"]
INT8_MODELS = ["int8", "qoperator"]
FEWEST_RIGHT = {"f32": 0.97, "int8": 0.965, "qoperator": 0.965}


def _model(name: str) -> onnx.ModelProto:
    return onnx.load(FOLDER / f"digits_{name}.onnx")


def _array(name: str) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.load(FOLDER / f"{name}.npy")
    return array


def _images(name: str) -> npt.NDArray[Any]:
    return _array("heldout_images" if name == "f32" else "heldout_images_int8")


def _assert_same_answers(found: npt.NDArray[Any], expected: npt.NDArray[Any]) -> None:
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    assert (found.argmax(axis=1) == expected.argmax(axis=1)).all()
    if found.dtype == np.int8:
        assert np.abs(found.astype(np.int32) - expected).max() <= 1
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", MODELS)
def test_model_is_sound_and_of_the_default_domain(name: str) -> None:
    model = _model(name)
    onnx.checker.check_model(model, full_check=True)
    assert [(opset.domain, opset.version) for opset in model.opset_import] == [("", 17)]
    assert all(node.name and not node.domain for node in model.graph.node)


@pytest.mark.parametrize("name", MODELS)
def test_ends_have_the_type_that_firmware_feeds(name: str) -> None:
    graph = _model(name).graph
    (source,), (sink,) = graph.input, graph.output
    expected = TensorProto.FLOAT if name == "f32" else TensorProto.INT8
    for value, label, shape in ((source, "image", [1, 1, 8, 8]), (sink, "probabilities", [1, 10])):
        assert value.name == label
        assert value.type.tensor_type.elem_type == expected
        assert [axis.dim_value for axis in value.type.tensor_type.shape.dim] == shape


@pytest.mark.parametrize("name", MODELS)
def test_onnx_runtime_gives_the_expected_outputs(name: str) -> None:
    _assert_same_answers(answers(_model(name), _images(name)), _array(f"expected_{name}"))


@pytest.mark.parametrize("name", MODELS)
def test_the_reference_evaluator_gives_the_expected_outputs(name: str) -> None:
    _assert_same_answers(reference_answers(_model(name), _images(name)), _array(f"expected_{name}"))


@pytest.mark.parametrize("name", MODELS)
def test_accuracy_on_the_heldout_images(name: str) -> None:
    labels = _array("heldout_labels")
    outputs = answers(_model(name), _images(name))
    assert len(labels) >= 360
    assert (outputs.argmax(axis=1) == labels).mean() >= FEWEST_RIGHT[name]


def test_heldout_files_are_the_heldout_part_of_the_data() -> None:
    _, heldout = dataset.split()
    np.testing.assert_array_equal(_array("heldout_images"), heldout.images)
    np.testing.assert_array_equal(_array("heldout_labels"), heldout.labels)


@pytest.mark.parametrize("name", INT8_MODELS)
def test_int8_images_are_the_float_ones_in_the_models_own_scale(name: str) -> None:
    form = quantisation(_model("int8"), "image")
    np.testing.assert_array_equal(form.quantise(_array("heldout_images")), _array("heldout_images_int8"))
    assert initialiser(_model(name), "image_scale") == form.scale
    assert initialiser(_model(name), "image_zero_point") == form.zero_point


@pytest.mark.parametrize("name", INT8_MODELS)
@pytest.mark.parametrize("layer", ["stem", "body", "depthwise", "pointwise", "head"])
def test_weights_are_per_channel_and_symmetric(name: str, layer: str) -> None:
    weight = initialiser(_model(name), f"{layer}_weight_quantized")
    channels = weight.shape[1] if (name, layer) == ("qoperator", "head") else weight.shape[0]
    assert weight.dtype == np.int8
    assert initialiser(_model(name), f"{layer}_weight_scale").shape == (channels,)
    assert not initialiser(_model(name), f"{layer}_weight_zero_point").any()


def test_qoperator_model_computes_on_int8() -> None:
    operators = {node.op_type for node in _model("qoperator").graph.node}
    assert {"QLinearConv", "QLinearMatMul", "MaxPool", "Flatten"} <= operators
    assert not {"Conv", "Gemm", "MatMul"} & operators
