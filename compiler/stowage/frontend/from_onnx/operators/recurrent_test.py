# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers in all their forms against ONNX Runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.model_making import floats, model_of
from stowage.frontend.from_onnx.oracle import check_import, imported, random_inputs, runtime_outputs
from stowage.frontend.from_onnx.refusing import refusal
from stowage.ir.graph import Array, Graph
from stowage.ir.ops.recurrent import Recurrent
from stowage.ir.reference import run

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
STATES = {"LSTM": 2, "GRU": 1, "RNN": 1}
STEPS, BATCHES, INPUTS, HIDDEN = 5, 2, 3, 4


def layer(
    op: str,
    directions: int = 1,
    *,
    outputs: int = 3,
    lengths: list[int] | None = None,
    peepholes: bool = False,
    steps: int = STEPS,
    **attributes: Any,
) -> ModelProto:
    """A layer with weights, bias and states, of which the first `outputs` outputs are asked for."""
    random = np.random.default_rng(len(op) + directions)

    def reals(*shape: int) -> Array:
        return random.standard_normal((directions, *shape)).astype(np.float32)

    rows = GATES[op] * HIDDEN
    constants: dict[str, Any] = {"w": reals(rows, INPUTS), "r": reals(rows, HIDDEN), "b": reals(2 * rows)}
    operands = ["x", "w", "r", "b", ""]
    if lengths is not None:
        constants["lengths"] = np.array(lengths, np.int32)
        operands[4] = "lengths"
    for state in ("h", "c")[: STATES[op]]:
        constants[state] = reals(BATCHES, HIDDEN)
        operands.append(state)
    if peepholes:
        constants["p"] = reals(3 * HIDDEN)
        operands.append("p")
    names = ["y", "y_h", "y_c"][: min(outputs, 1 + STATES[op])]
    node = helper.make_node(op, operands, names, name="n", hidden_size=HIDDEN, **attributes)
    model = model_of([node], [floats("x", [steps, BATCHES, INPUTS])], [floats(n, None) for n in names], constants, 14)
    return model


BOTH: dict[str, Any] = {"directions": 2, "direction": "bidirectional"}
CASES = {
    **{f"all of {op}": layer(op) for op in GATES},
    **{f"both ways of {op}": layer(op, **BOTH) for op in GATES},
    **{f"backwards {op}": layer(op, direction="reverse") for op in GATES},
    **{f"lengths of {op}": layer(op, lengths=[3, 5], **BOTH) for op in GATES},
    **{f"clip of {op}": layer(op, clip=0.5, **BOTH) for op in GATES},
    "lengths and clip": layer("LSTM", lengths=[2, 4], clip=0.4, direction="reverse"),
    "peepholes": layer("LSTM", peepholes=True),
    "peepholes both ways": layer("LSTM", peepholes=True, **BOTH),
    "coupled": layer("LSTM", input_forget=1),
    "reset behind": layer("GRU", linear_before_reset=1, activations=["HardSigmoid", "Softsign"]),
    "numbers": layer(
        "LSTM",
        activations=["HardSigmoid", "ScaledTanh", "Affine"],
        activation_alpha=[0.3, 0.7, 1.5],
        activation_beta=[0.4, 1.1, 0.1],
    ),
    "numbers both ways": layer("RNN", activations=["LeakyRelu", "Elu"], activation_alpha=[0.2, 0.5], **BOTH),
    "others": layer("RNN", activations=["ThresholdedRelu", "Softplus"], activation_alpha=[0.3], **BOTH),
}


@pytest.mark.parametrize("name", CASES)
def test_layers(name: str, tmp_path: Path) -> None:
    check_import(CASES[name], tmp_path)


@pytest.mark.parametrize("op", GATES)
def test_lengths_of_run_time(op: str, tmp_path: Path) -> None:
    """The graph has them as an input; ONNX Runtime is asked for every pair of lengths."""
    model = layer(op, lengths=[1, 1], **BOTH)
    (lengths,) = [tensor for tensor in model.graph.initializer if tensor.name == "lengths"]
    model.graph.initializer.remove(lengths)
    model.graph.input.append(helper.make_tensor_value_info("lengths", TensorProto.INT32, [BATCHES]))
    graph = imported(model, tmp_path)
    inputs = random_inputs(graph)
    for pair in ([1, 5], [4, 2], [3, 3]):
        feeds = {**inputs, "lengths": np.array(pair, np.int32)}
        found = run(graph, feeds)
        for name, expected in runtime_outputs(model, feeds).items():
            np.testing.assert_allclose(
                found[name].astype(np.float64),
                expected.astype(np.float64),
                rtol=1e-5,
                atol=1e-5,
                err_msg=f"{pair} {name}",
            )


def kernels(graph: Graph) -> int:
    return sum(isinstance(node.op, Recurrent) for node in graph.nodes)


@pytest.mark.parametrize("outputs", [1, 2, 3])
def test_one_kernel_makes_all_outputs(outputs: int, tmp_path: Path) -> None:
    assert kernels(check_import(layer("LSTM", outputs=outputs), tmp_path)) == 1
    assert kernels(check_import(layer("GRU", outputs=outputs, **BOTH), tmp_path)) == 2


def test_last_states_alone_need_no_sequence(tmp_path: Path) -> None:
    model = layer("LSTM")
    model.graph.node[0].output[0] = ""
    del model.graph.output[0]
    graph = check_import(model, tmp_path)
    assert [node.op.result for node in graph.nodes if isinstance(node.op, Recurrent)] == ["states"]


def test_too_many_steps(tmp_path: Path) -> None:
    assert refusal(layer("RNN", clip=1.0, steps=513), tmp_path, UnsupportedModel) == (
        "RNN node 'n': in this form each of its 513 steps has code of its own, which is supported for 512; "
        "leave out clip, peepholes, coupling and lengths of run time, and use the default activations."
    )


def test_unknown_activation(tmp_path: Path) -> None:
    sentence = refusal(layer("RNN", activations=["Sine"]), tmp_path, UnsupportedModel)
    assert sentence.startswith("RNN node 'n': its activation is 'sine'; use affine, elu, ")


def test_lengths_that_do_not_suit(tmp_path: Path) -> None:
    assert refusal(layer("GRU", lengths=[9, 1]), tmp_path, InvalidModel) == (
        "GRU node 'n': the lengths [9, 1] do not go with 2 sequences of up to 5 steps; export the model again."
    )
