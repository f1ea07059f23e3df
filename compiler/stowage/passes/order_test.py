# SPDX-License-Identifier: Apache-2.0
"""All passes together, on the project's own models: what is left, and that it means what the model meant."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stowage.frontend.read_model import read_model
from stowage.ir.graph import Array, Graph
from stowage.ir.ops.elementwise import Dequantize, Quantize
from stowage.ir.ops.movement import Constant, Transpose
from stowage.ir.verify import InvalidGraph
from stowage.passes.graph_pass import Pass, run_passes
from stowage.passes.order import PASSES
from stowage.passes.trial_graph import TrialGraph, mnemonics, outputs_of, transposed_bytes

_EXAMPLES = Path(__file__).absolute().parents[3] / "examples"
_DIGITS = [
    "reshape",
    "conv2d",
    "max_pool2d",
    "conv2d",
    "depthwise_conv2d",
    "conv2d",
    "max_pool2d",
    "reshape",
    "fully_connected",
]


def _compiled(file: str) -> tuple[Graph, Graph]:
    graph = read_model(_EXAMPLES / file, "model", {})
    return graph, run_passes(graph, PASSES)


def _answers(graph: Graph, images: Array) -> Array:
    (data,) = graph.inputs
    return np.concatenate([outputs_of(graph, {data.name: image.reshape(data.type.shape)})[0] for image in images])


@pytest.mark.parametrize(
    ("file", "tail"),
    [
        ("digits/digits_f32.onnx", ["softmax"]),
        ("digits/digits_int8.onnx", ["softmax"]),
        ("digits/digits_qoperator.onnx", ["add", "softmax"]),
    ],
)
def test_digits_are_layers_alone(file: str, tail: list[str]) -> None:
    _, later = _compiled(file)
    assert mnemonics(later) == _DIGITS + tail


@pytest.mark.parametrize(
    "file", ["digits/digits_int8.onnx", "digits/digits_qoperator.onnx", "branches/branches_int8.onnx"]
)
def test_an_integer_model_has_no_float_left(file: str) -> None:
    _, later = _compiled(file)
    values = [value for node in later.nodes for value in node.outputs]
    assert not any(value.type.dtype.is_float for value in values)
    assert not any(isinstance(node.op, Quantize | Dequantize) for node in later.nodes)


@pytest.mark.parametrize("file", ["branches/branches_f32.onnx", "branches/branches_int8.onnx"])
def test_branches_transpose_their_input_alone(file: str) -> None:
    _, later = _compiled(file)
    assert [node.inputs for node in later.nodes if isinstance(node.op, Transpose)] == [later.inputs]


@pytest.mark.parametrize(
    ("file", "images", "expected"),
    [
        ("digits/digits_f32.onnx", "digits/heldout_images.npy", "digits/expected_f32.npy"),
        ("branches/branches_f32.onnx", "branches/inputs.npy", "branches/expected_f32.npy"),
    ],
)
def test_float_models_answer_as_onnx_runtime(file: str, images: str, expected: str) -> None:
    _, later = _compiled(file)
    answers = np.load(_EXAMPLES / expected)[:8]
    computed = _answers(later, np.load(_EXAMPLES / images)[:8]).reshape(answers.shape)
    np.testing.assert_allclose(computed, answers, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("file", "images", "expected"),
    [
        ("digits/digits_int8.onnx", "digits/heldout_images_int8.npy", "digits/expected_int8.npy"),
        ("digits/digits_qoperator.onnx", "digits/heldout_images_int8.npy", "digits/expected_qoperator.npy"),
        ("branches/branches_int8.onnx", "branches/inputs_int8.npy", "branches/expected_int8.npy"),
    ],
)
def test_integer_models_answer_within_one_step_of_onnx_runtime(file: str, images: str, expected: str) -> None:
    _, later = _compiled(file)
    answers = np.load(_EXAMPLES / expected)[:24]
    computed = _answers(later, np.load(_EXAMPLES / images)[:24]).reshape(answers.shape)
    assert np.abs(computed.astype(int) - answers.astype(int)).max() <= 1


@pytest.mark.parametrize(
    "file",
    ["digits/digits_f32.onnx", "digits/digits_int8.onnx", "branches/branches_f32.onnx", "branches/branches_int8.onnx"],
)
def test_running_all_again_changes_nothing(file: str) -> None:
    graph, later = _compiled(file)
    again = run_passes(later, PASSES)
    assert mnemonics(again) == mnemonics(later)
    assert transposed_bytes(again) == transposed_bytes(later)
    assert (again.inputs, again.outputs) == (graph.inputs, graph.outputs)


def test_fused_nodes_keep_the_layers_names() -> None:
    graph, later = _compiled("digits/digits_int8.onnx")
    given = {node.name for node in graph.nodes}
    layers = [
        node.name for node in later.nodes if node.op.mnemonic in ("conv2d", "depthwise_conv2d", "fully_connected")
    ]
    assert len(layers) == 5
    assert set(layers) <= given


def test_no_constant_is_left_that_nothing_reads() -> None:
    _, later = _compiled("branches/branches_int8.onnx")
    assert set(later.constants) == {node.op.digest for node in later.nodes if isinstance(node.op, Constant)}


def test_the_driver_shows_every_pass_and_verifies_it() -> None:
    trial = TrialGraph()
    graph = trial.graph(trial.add(Transpose((1, 0)), trial.input(2, 3)))
    seen: list[str] = []
    run_passes(graph, PASSES, lambda step, _: seen.append(step.name))
    assert seen == [step.name for step in PASSES]
    broken = Pass("broken", lambda old: type(old)(old.name, old.inputs, old.outputs, ()))
    with pytest.raises(InvalidGraph, match="after broken"):
        run_passes(graph, [broken])
