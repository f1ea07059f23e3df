# SPDX-License-Identifier: Apache-2.0
"""Small models for tests: one node, or a few, around given tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

OLDEST_IR_WITH_FREE_INITIALISERS = 8
Shape = Sequence[int | str | None]


def floats(name: str, shape: Shape | None) -> ValueInfoProto:
    """A float32 input or output."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def model_of(
    nodes: Sequence[NodeProto],
    inputs: Sequence[ValueInfoProto],
    outputs: Sequence[ValueInfoProto],
    constants: Mapping[str, Any] | None = None,
    opset: int = 21,
) -> ModelProto:
    """A model of these parts."""
    initialisers = [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()]
    graph = helper.make_graph(list(nodes), "test", list(inputs), list(outputs), initialisers)
    ir_version = max(OLDEST_IR_WITH_FREE_INITIALISERS, 10 if opset >= 21 else 0, 11 if opset >= 23 else 0)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version)


def relu_model() -> ModelProto:
    """The smallest useful model: y = relu(x), both [1, 4]."""
    return model_of([helper.make_node("Relu", ["x"], ["y"], name="r")], [floats("x", [1, 4])], [floats("y", [1, 4])])


def conv_model(weights: NDArray[Any] | None = None, **attributes: Any) -> ModelProto:
    """A convolution with a bias of an image [1, 3, 8, 8]; the output's shape is left open."""
    if weights is None:
        weights = np.random.default_rng(1).normal(size=(4, 3, 3, 3)).astype(np.float32)
    bias = np.arange(len(weights), dtype=np.float32)
    node = helper.make_node("Conv", ["x", "w", "b"], ["y"], name="c", **attributes)
    return model_of([node], [floats("x", [1, 3, 8, 8])], [floats("y", None)], {"w": weights, "b": bias})


def saved(model: ModelProto | bytes, folder: Path, name: str = "model.onnx") -> Path:
    """Writes the model into a folder."""
    path = folder / name
    path.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    return path


def node_model(
    op_type: str, shape: list[int] | None, *more: NDArray[Any], opset: int = 21, **attributes: Any
) -> ModelProto:
    """One node "n" that reads "x" of float32 and the constants "c0", "c1", …"""
    constants: dict[str, NDArray[Any]] = {f"c{index}": array for index, array in enumerate(more)}
    node = helper.make_node(op_type, ["x", *constants], ["y"], name="n", **attributes)
    return model_of([node], [floats("x", shape)], [floats("y", None)], constants, opset)
