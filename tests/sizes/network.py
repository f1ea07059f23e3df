# SPDX-License-Identifier: Apache-2.0
"""Networks whose inputs vary in length, and what ONNX Runtime answers at each: a classifier of frames, and a stream.

Both are seeded. The classifier varies in two dimensions and is int8; the stream keeps the state of a recurrent layer,
whatever the number of frames in a run is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

Array = NDArray[Any]

FEATURES, CHANNELS, CLASSES, HIDDEN = 4, 6, 5, 3
BATCHES, FRAMES = (1, 2), (8, 12, 20)
CHUNKS = (2, 1, 5)
"""Frames of the stream's runs."""


def classifier() -> ModelProto:
    """int8[batch, 4, frames] → convolution over frames → relu → dense → int8[batch, frames, 5], in QDQ form."""
    draw = np.random.default_rng(3)
    weights = draw.integers(-127, 128, (CHANNELS, FEATURES, 3)).astype(np.int8)
    dense = draw.integers(-127, 128, (CHANNELS, CLASSES)).astype(np.int8)
    constants = {
        "w8": weights,
        "d8": dense,
        "bias": draw.normal(size=CHANNELS).astype(np.float32),
        **{name: np.float32(scale) for name, scale in (("sx", 0.05), ("sw", 0.01), ("sc", 0.06), ("sy", 0.2))},
        **{name: np.int8(zero) for name, zero in (("zx", 3), ("zw", 0), ("zc", -128), ("zy", 1))},
    }
    nodes = [
        *_real("x", "sx", "zx"),
        *_real("w8", "sw", "zw"),
        helper.make_node("Conv", ["x.real", "w8.real", "bias"], ["conv"], pads=[1, 1]),
        helper.make_node("Relu", ["conv"], ["relu"]),
        helper.make_node("Transpose", ["relu"], ["turned"], perm=[0, 2, 1]),
        helper.make_node("QuantizeLinear", ["turned", "sc", "zc"], ["c8"]),
        *_real("c8", "sc", "zc"),
        *_real("d8", "sw", "zw"),
        helper.make_node("MatMul", ["c8.real", "d8.real"], ["scores"]),
        helper.make_node("QuantizeLinear", ["scores", "sy", "zy"], ["y"]),
    ]
    inputs = [helper.make_tensor_value_info("x", TensorProto.INT8, ["batch", FEATURES, "frames"])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.INT8, ["batch", "frames", CLASSES])]
    return _model(nodes, inputs, outputs, constants)


def stream() -> ModelProto:
    """float[1, frames, 4] → GRU from state h to h_next → its results[frames, 1, 3] and the next state."""
    draw = np.random.default_rng(5)
    constants = {
        "w": draw.normal(size=(1, 3 * HIDDEN, FEATURES)).astype(np.float32),
        "r": draw.normal(size=(1, 3 * HIDDEN, HIDDEN)).astype(np.float32),
        "b": draw.normal(size=(1, 6 * HIDDEN)).astype(np.float32),
        "one": np.array([1], np.int64),
    }
    nodes = [
        helper.make_node("Transpose", ["x"], ["turned"], perm=[1, 0, 2]),
        helper.make_node("GRU", ["turned", "w", "r", "b", "", "h"], ["all", "h_next"], hidden_size=HIDDEN),
        helper.make_node("Squeeze", ["all", "one"], ["y"]),
    ]
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, "frames", FEATURES]),
        helper.make_tensor_value_info("h", TensorProto.FLOAT, [1, 1, HIDDEN]),
    ]
    outputs = [
        helper.make_tensor_value_info("y", TensorProto.FLOAT, ["frames", 1, HIDDEN]),
        helper.make_tensor_value_info("h_next", TensorProto.FLOAT, [1, 1, HIDDEN]),
    ]
    return _model(nodes, inputs, outputs, constants)


def classifier_vectors(batch: int, frames: int, count: int) -> tuple[Array, Array]:
    """Inputs int8[count, batch, 4, frames] and what ONNX Runtime makes of them."""
    draw = np.random.default_rng(100 * batch + frames)
    inputs = draw.integers(-128, 128, (count, batch, FEATURES, frames)).astype(np.int8)
    session = _session(classifier())
    return inputs, np.stack([session.run(["y"], {"x": each})[0] for each in inputs])


def stream_vectors(chunks: Sequence[int]) -> list[tuple[Array, Array]]:
    """Inputs and results of runs of so many frames each, which follow one another from a state of zeros."""
    draw, session = np.random.default_rng(7), _session(stream())
    state, runs = np.zeros((1, 1, HIDDEN), np.float32), list[tuple[Array, Array]]()
    for frames in chunks:
        inputs = draw.normal(size=(1, frames, FEATURES)).astype(np.float32)
        results, state = session.run(["y", "h_next"], {"x": inputs, "h": state})
        runs.append((inputs, results))
    return runs


def _real(name: str, scale: str, zero: str) -> list[NodeProto]:
    return [helper.make_node("DequantizeLinear", [name, scale, zero], [f"{name}.real"])]


def _model(
    nodes: list[NodeProto], inputs: list[ValueInfoProto], outputs: list[ValueInfoProto], constants: dict[str, Any]
) -> ModelProto:
    initialisers = [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "varying", inputs, outputs, initialisers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _session(model: ModelProto) -> Any:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options)
