# SPDX-License-Identifier: Apache-2.0
"""Versions of the operator set that are older than what Stowage knows."""

from __future__ import annotations

import pytest
from onnx import ModelProto

from stowage.errors import UnsupportedModel
from stowage.frontend.from_onnx.model_making import node_model
from stowage.frontend.from_onnx.opset import OLDEST_OPSET, opset_of


@pytest.mark.parametrize(("op_type", "version"), [("Relu", 6), ("Not", 1), ("Sigmoid", 6), ("Relu", OLDEST_OPSET)])
def test_operators_that_have_not_changed_since(op_type: str, version: int) -> None:
    assert opset_of(node_model(op_type, [4], opset=version)) == OLDEST_OPSET


def foreign() -> ModelProto:
    model = node_model("Relu", [4], opset=6)
    model.graph.node[0].domain = "ai.onnx.ml"
    return model


@pytest.mark.parametrize(
    "model",
    [node_model("Relu", [4], opset=5), node_model("Add", [4], opset=6), node_model("Gelu", [4], opset=1), foreign()],
)
def test_operators_that_have_changed_since(model: ModelProto) -> None:
    with pytest.raises(UnsupportedModel, match="and Stowage knows 7 to"):
        opset_of(model)


@pytest.mark.parametrize("version", [0, -1, -(2**63)])
def test_versions_that_never_were(version: int) -> None:
    model = node_model("Relu", [4])
    model.opset_import[0].version = version
    with pytest.raises(UnsupportedModel):
        opset_of(model)
