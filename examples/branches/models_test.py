# SPDX-License-Identifier: Apache-2.0
"""The committed files: the models that the seeds give, what they are made of, and honest expected outputs.

Outputs are compared within what another processor's order of additions may change: 1e-5 for float32, one step for int8.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import TensorProto

from examples.branches import architecture, products
from examples.branches.fold_batch_norm import fold_batch_norms
from examples.digits.oracle import answers, reference_answers, session
from examples.digits.quantise import quantisation

FOLDER = Path(__file__).parent
MODELS = ["f32", "int8"]
KEPT_IN_BOTH = {
    "Add", "AveragePool", "Concat", "Conv", "GlobalAveragePool", "HardSigmoid", "HardSwish", "LeakyRelu", "MaxPool",
    "Mul", "Pad", "Reshape", "Resize", "Transpose",
}  # fmt: skip


def _model(name: str) -> onnx.ModelProto:
    return onnx.load(FOLDER / f"branches_{name}.onnx")


def _array(name: str) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.load(FOLDER / f"{name}.npy")
    return array


def _inputs(name: str) -> npt.NDArray[Any]:
    return _array("inputs" if name == "f32" else "inputs_int8")


def _assert_same_answers(found: npt.NDArray[Any], expected: npt.NDArray[Any]) -> None:
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    if found.dtype == np.int8:
        assert np.abs(found.astype(np.int32) - expected).max() <= 1
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_the_seed_gives_the_committed_model() -> None:
    assert architecture.build().SerializeToString() == _model("f32").SerializeToString()


def test_the_seeds_give_the_committed_inputs() -> None:
    inputs = products.images(products.INPUTS, products.INPUT_SEED)
    np.testing.assert_array_equal(_array("inputs"), inputs)
    np.testing.assert_array_equal(_array("inputs_int8"), quantisation(_model("int8"), "image").quantise(inputs))


def test_calibration_gives_the_committed_int8_graph() -> None:
    made, committed = products.int8_model(architecture.build()).graph, _model("int8").graph
    assert list(made.node) == list(committed.node)
    shapes = [[(tensor.name, list(tensor.dims)) for tensor in graph.initializer] for graph in (made, committed)]
    assert shapes[0] == shapes[1]


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
    for value, label, shape in ((source, "image", [1, 3, 24, 24]), (sink, "boxes", [1, 108, 4])):
        assert value.name == label
        assert value.type.tensor_type.elem_type == expected
        assert [axis.dim_value for axis in value.type.tensor_type.shape.dim] == shape


@pytest.mark.parametrize("name", MODELS)
def test_model_has_what_it_is_there_to_have(name: str) -> None:
    operators = {node.op_type for node in _model(name).graph.node}
    assert operators >= KEPT_IN_BOTH
    if name == "f32":
        assert operators == KEPT_IN_BOTH | {"BatchNormalization", "Clip", "Relu"}
    else:
        assert operators == KEPT_IN_BOTH | {"DequantizeLinear", "QuantizeLinear"}


@pytest.mark.parametrize("name", MODELS)
def test_onnx_runtime_gives_the_expected_outputs(name: str) -> None:
    _assert_same_answers(answers(_model(name), _inputs(name)), _array(f"expected_{name}"))


@pytest.mark.parametrize("name", MODELS)
def test_the_reference_evaluator_gives_the_expected_outputs(name: str) -> None:
    _assert_same_answers(reference_answers(_model(name), _inputs(name)), _array(f"expected_{name}"))


def _all_tensors(model: onnx.ModelProto) -> dict[str, npt.NDArray[Any]]:
    """Every tensor that the float32 model computes, for all inputs: `[n, ...]` by name."""
    names = [name for node in model.graph.node for name in node.output]
    shaped = {value.name: value for value in onnx.shape_inference.infer_shapes(model).graph.value_info}
    model.graph.output.extend(shaped[name] for name in names[:-1])
    runner = session(model)
    runs = [runner.run(names, {"image": one[np.newaxis]}) for one in _array("inputs")]
    return {name: np.concatenate(found) for name, *found in zip(names, *runs, strict=True)}


def test_no_part_of_the_network_is_dead() -> None:
    tensors = _all_tensors(_model("f32"))
    for name, found in tensors.items():
        assert len({one.tobytes() for one in found}) == products.INPUTS, name
    assert (tensors["depthwise"] == 6).any() and (tensors["depthwise"] == 0).any()
    assert (np.abs(tensors["stem_norm"]) > 3).any()
    assert (tensors["residual"] < 0).any()
    assert np.ptp(tensors["attention_gate"]) > 0.2


def test_int8_model_says_what_the_float_model_says() -> None:
    stored, reals = _array("expected_int8"), _array("expected_f32")
    form = quantisation(_model("int8"), "boxes")
    error = form.scale * (stored.astype(np.float32) - np.float32(form.zero_point)) - reals
    assert np.sqrt((error**2).mean()) < 0.1 * reals.std()


def test_folding_batch_norms_changes_nothing_but_the_nodes() -> None:
    folded = fold_batch_norms(_model("f32"))
    assert "BatchNormalization" not in {node.op_type for node in folded.graph.node}
    np.testing.assert_allclose(answers(folded, _array("inputs")), _array("expected_f32"), rtol=1e-5, atol=1e-5)


def test_different_inputs_give_different_boxes() -> None:
    for name in MODELS:
        assert len({boxes.tobytes() for boxes in _array(f"expected_{name}")}) == products.INPUTS
