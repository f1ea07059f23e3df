# SPDX-License-Identifier: Apache-2.0
"""A seeded streaming network: a convolution over the last frames, then a recurrent layer, one frame a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnx import ModelProto, helper, numpy_helper

Reals = NDArray[np.float32]
FRAME, FRAMES, CHANNELS, HIDDEN, CLASSES = 8, 4, 6, 5, 3
STEPS = 24
STATES = {"frames": "frames_next", "hidden": "hidden_next"}
_SHAPES = {"frame": (1, FRAME, 1), "frames": (1, FRAME, FRAMES), "hidden": (1, 1, HIDDEN)}
_MODEL, _INPUTS, _EXPECTED = "stream.onnx", "inputs.npy", "expected.npy"


def network() -> ModelProto:
    """frame [1, 8, 1], frames [1, 8, 4], hidden [1, 1, 5] -> classes [1, 3], frames_next, hidden_next."""
    nodes = [
        helper.make_node("Concat", ["frames", "frame"], ["window"], name="window", axis=2),
        helper.make_node("Slice", ["window", "one", "end", "two"], ["frames_next"], name="forget"),
        helper.make_node("Conv", ["window", "filters", "filters_bias"], ["seen"], name="see"),
        helper.make_node("Relu", ["seen"], ["features"], name="rectify"),
        helper.make_node("Transpose", ["features"], ["sequence"], name="as_sequence", perm=[2, 0, 1]),
        helper.make_node(
            "GRU",
            ["sequence", "weights", "recurrence", "gates_bias", "", "hidden"],
            ["", "hidden_next"],
            name="remember",
            hidden_size=HIDDEN,
            linear_before_reset=1,
        ),
        helper.make_node("Reshape", ["hidden_next", "row"], ["memory"], name="as_row"),
        helper.make_node("Gemm", ["memory", "head", "head_bias"], ["scores"], name="score"),
        helper.make_node("Softmax", ["scores"], ["classes"], name="classify", axis=1),
    ]
    inputs = [helper.make_tensor_value_info(name, 1, shape) for name, shape in _SHAPES.items()]
    outputs = [helper.make_tensor_value_info("classes", 1, (1, CLASSES))]
    outputs += [helper.make_tensor_value_info(kept, 1, _SHAPES[held]) for held, kept in STATES.items()]
    initialisers = [numpy_helper.from_array(array, name) for name, array in _constants().items()]
    graph = helper.make_graph(nodes, "stream", inputs, outputs, initialisers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="stowage")


def _constants() -> dict[str, NDArray[Any]]:
    random = np.random.default_rng(31)

    def drawn(*shape: int) -> Reals:
        return random.normal(size=shape).astype(np.float32)

    return {
        "filters": drawn(CHANNELS, FRAME, FRAMES + 1) / np.float32(4),
        "filters_bias": drawn(CHANNELS),
        "weights": drawn(1, 3 * HIDDEN, CHANNELS),
        "recurrence": drawn(1, 3 * HIDDEN, HIDDEN),
        "gates_bias": drawn(1, 6 * HIDDEN),
        "head": drawn(HIDDEN, CLASSES) * np.float32(2),
        "head_bias": drawn(CLASSES),
        "one": np.array([1], np.int64),
        "end": np.array([FRAMES + 1], np.int64),
        "two": np.array([2], np.int64),
        "row": np.array([1, HIDDEN], np.int64),
    }


def frames() -> Reals:
    """What is fed: [step, 1, 8, 1]."""
    return np.random.default_rng(32).normal(size=(STEPS, *_SHAPES["frame"])).astype(np.float32)


def answers(model: ModelProto, inputs: Reals) -> Reals:
    """ONNX Runtime's classes of each step, its states fed by hand from zero on: [step, 1, 3]."""
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    held: dict[str, Any] = {name: np.zeros(_SHAPES[name], np.float32) for name in STATES}
    results = []
    for frame in inputs:
        classes, *kept = session.run(["classes", *STATES.values()], {"frame": frame, **held})
        held = dict(zip(STATES, kept, strict=True))
        results.append(classes)
    return np.stack(results)


def write(folder: Path) -> list[str]:
    """Writes the model, its inputs and what is expected; returns the files' names."""
    model, inputs = network(), frames()
    (folder / _MODEL).write_bytes(model.SerializeToString())
    np.save(folder / _INPUTS, inputs)
    np.save(folder / _EXPECTED, answers(model, inputs))
    return [_MODEL, _INPUTS, _EXPECTED]
