# SPDX-License-Identifier: Apache-2.0
"""Operators that are imported by the bodies that ONNX defines them with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator

from stowage.errors import UnsupportedModel
from stowage.frontend.from_onnx.model_making import floats, model_of, node_model
from stowage.frontend.from_onnx.oracle import imported, random_inputs
from stowage.frontend.from_onnx.refusing import refusal
from stowage.ir.graph import Graph
from stowage.ir.reference import run

NEWEST = 24


def calls(
    op_type: str,
    operands: Mapping[str, Sequence[int]],
    outputs: Sequence[str] = ("y",),
    constants: Mapping[str, Any] | None = None,
    *,
    order: Sequence[str] = (),
    domain: str = "",
    **attributes: Any,
) -> ModelProto:
    """A call "n" of an operator on inputs of float32 and on constants, in the given order of all."""
    names = order or [*operands, *(constants or {})]
    node = helper.make_node(op_type, names, outputs, name="n", domain=domain, **attributes)
    inputs = [floats(name, shape) for name, shape in operands.items()]
    model = model_of([node], inputs, [floats(name, None) for name in outputs if name], constants, NEWEST)
    if domain:
        model.opset_import.append(helper.make_opsetid(domain, 1))
    return model


def attention(outputs: Sequence[str] = ("y",), **attributes: Any) -> ModelProto:
    heads = {"q": (2, 4, 3, 8), "k": (2, 2, 5, 8), "v": (2, 2, 5, 6)}
    return calls("Attention", heads, outputs, **attributes)


LABELS = np.array([[1, 0, 3], [2, 3, 1]])
CASES = {
    "attention": attention(),
    "causal attention": attention(is_causal=1, softcap=2.0),
    "scores of attention": attention(("y", "", "", "scores"), qk_matmul_output_mode=1, scale=0.25),
    "attention with a past": calls(
        "Attention",
        {"q": (1, 2, 3, 4), "k": (1, 2, 3, 4), "v": (1, 2, 3, 4), "pk": (1, 2, 6, 4), "pv": (1, 2, 6, 4)},
        ("y", "present_k", "present_v"),
        order=("q", "k", "v", "", "pk", "pv"),
    ),
    "cross entropy": calls("SoftmaxCrossEntropyLoss", {"x": (2, 4, 3)}, ("loss", "logs"), {"labels": LABELS}),
    "ignored label": calls(
        "SoftmaxCrossEntropyLoss", {"x": (2, 4, 3)}, ("loss",), {"labels": LABELS}, ignore_index=3, reduction="sum"
    ),
    "likelihood": calls(
        "NegativeLogLikelihoodLoss",
        {"x": (2, 4, 3)},
        ("loss",),
        {"labels": LABELS, "weight": np.array([0.5, 1, 2, 3], np.float32)},
    ),
    "crop and pad": calls("CenterCropPad", {"x": (3, 8, 5)}, ("y",), {"shape": np.array([4, 9])}, axes=[1, 2]),
}


def found_by_reference(model: ModelProto, graph: Graph) -> None:
    """Compares the graph with ONNX's reference implementation of the operator, which is no expansion of its body."""
    inputs = random_inputs(graph)
    expected, found = ReferenceEvaluator(model).run(None, dict(inputs)), run(graph, inputs)
    for value, wanted in zip(graph.outputs, expected, strict=True):
        assert found[value.name].shape == wanted.shape
        np.testing.assert_allclose(found[value.name].astype(np.float64), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_operator_is_its_body(name: str, tmp_path: Path) -> None:
    found_by_reference(CASES[name], imported(CASES[name], tmp_path))


def test_operator_of_the_preview_domain(tmp_path: Path) -> None:
    heads = {"q": (1, 2, 3, 4), "k": (1, 2, 5, 4), "v": (1, 2, 5, 4)}
    model = calls("FlexAttention", heads, domain="ai.onnx.preview")
    graph = imported(model, tmp_path)
    inputs = random_inputs(graph)
    q, k, v = (inputs[name].astype(np.float64) for name in "qkv")
    logits = q @ np.swapaxes(k, 2, 3) / 2
    shares = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    np.testing.assert_allclose(run(graph, inputs)["y"].astype(np.float64), shares @ v, rtol=1e-5, atol=1e-5)


def test_two_calls_keep_apart(tmp_path: Path) -> None:
    """What bodies make inside has names that neither the other call nor the file has."""
    nodes = [
        helper.make_node("Attention", ["x", "x", "x"], ["QScaled"], name="a"),
        helper.make_node("Attention", ["QScaled", "x", "x"], ["y"], name="b"),
    ]
    model = model_of(nodes, [floats("x", (1, 2, 3, 4))], [floats("y", None)], opset=NEWEST)
    graph = imported(model, tmp_path)
    found_by_reference(model, graph)
    assert {node.name.split(".")[0] for node in graph.nodes if not node.name.startswith("QScaled")} >= {"a", "b"}


def test_refusal_names_the_call(tmp_path: Path) -> None:
    model = node_model("Bernoulli", [4])
    assert refusal(model, tmp_path, UnsupportedModel) == (
        "Bernoulli node 'n' (its RandomUniformLike): no importer for the operator RandomUniformLike; "
        "replace it by supported operators and export the model again."
    )


def test_training_has_no_bodies(tmp_path: Path) -> None:
    model = calls("Momentum", {"x": (4,)}, domain="ai.onnx.preview.training")
    assert "no importer for the operator ai.onnx.preview.training::Momentum" in refusal(
        model, tmp_path, UnsupportedModel
    )
