# SPDX-License-Identifier: Apache-2.0
"""Graphs at the edge of what a graph is: no inputs, inputs in vain, outputs that nothing computes, empty tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from stowage.ir.graph import Array
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.target.find_board import find_board
from tests.differential.generated_c import Broken, Case, build_and_run
from tests.differential.onnx_runtime import run_model

X: Array = np.linspace(-1, 2, 24, dtype=np.float32).reshape(4, 6)
NOTHING: Array = np.zeros((4, 0), np.float32)
AXES = {"axes": np.array([1])}
_TYPES = {np.dtype(np.float32): 1, np.dtype(np.int64): 7}


def model(
    nodes: Sequence[NodeProto],
    inputs: Mapping[str, Array],
    outputs: Sequence[str],
    constants: Mapping[str, Any] | None = None,
) -> ModelProto:
    initialisers = [numpy_helper.from_array(np.asarray(array), name) for name, array in (constants or {}).items()]
    graph = helper.make_graph(
        list(nodes),
        "edges",
        [helper.make_tensor_value_info(name, _TYPES[array.dtype], array.shape) for name, array in inputs.items()],
        [helper.make_tensor_value_info(name, 1, None) for name in outputs],
        initialisers,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def node(op_type: str, inputs: Sequence[str], *outputs: str, **attributes: Any) -> NodeProto:
    return helper.make_node(op_type, inputs, outputs, **attributes)


RELU = node("Relu", ["x"], "y")
CASES: dict[str, tuple[ModelProto, dict[str, Array]]] = {
    "no_inputs": (model([node("Add", ["a", "a"], "y")], {}, ["y"], {"a": X}), {}),
    "input_in_vain": (model([RELU], {"x": X, "vain": X}, ["y"]), {"x": X, "vain": X}),
    "constant_output": (model([RELU], {"x": X}, ["y", "k"], {"k": X}), {"x": X}),
    "output_twice": (model([RELU, node("Identity", ["y"], "z")], {"x": X}, ["y", "z"]), {"x": X}),
    "output_is_input": (model([node("Identity", ["x"], "y")], {"x": X}, ["y"]), {"x": X}),
    "all_inputs_in_vain": (model([node("Neg", ["k"], "y")], {"x": X}, ["y"], {"k": X}), {"x": X}),
    "empty_input": (model([RELU], {"x": NOTHING}, ["y"]), {"x": NOTHING}),
    "empty_beside_full": (
        model(
            [node("Concat", ["e", "x", "e"], "y", axis=1), node("Tanh", ["e"], "z")], {"e": NOTHING, "x": X}, ["y", "z"]
        ),
        {"e": NOTHING, "x": X},
    ),
    "parts_of_nothing": (
        model(
            [node("Split", ["x", "lengths"], "a", "y", "c", axis=0)],
            {"x": X},
            ["a", "y", "c"],
            {"lengths": np.array([0, 4, 0])},
        ),
        {"x": X},
    ),
    "sum_of_nothing": (
        model(
            [node("ReduceSum", ["e", "axes"], "s"), node("Add", ["s", "x"], "y")], {"e": NOTHING, "x": X}, ["y"], AXES
        ),
        {"e": NOTHING, "x": X},
    ),
    "product_over_nothing": (
        model([node("MatMul", ["e", "f"], "y")], {"e": NOTHING, "f": NOTHING.reshape(0, 3)}, ["y"]),
        {"e": NOTHING, "f": NOTHING.reshape(0, 3)},
    ),
}


def test_edges(tmp_path: Path) -> None:
    """All in one program, under sanitisers, with and without the watch of the poison build."""
    host = find_board("host")
    cases = []
    for name, (proto, feeds) in CASES.items():
        path = tmp_path / f"{name}.onnx"
        path.write_bytes(proto.SerializeToString())
        cases.append(Case(compile_model(ModelRequest(path, name), host), (feeds,)))
    for poison in (False, True):
        for (name, (proto, feeds)), found in zip(CASES.items(), build_and_run(cases, tmp_path, poison), strict=True):
            assert not isinstance(found, Broken), f"{name}: {found}"
            for output, expected in run_model(proto, feeds).items():
                assert found[0][output].shape == expected.shape, f"{name}: {output}"
                np.testing.assert_allclose(
                    found[0][output].astype(np.float64), expected.astype(np.float64), rtol=1e-5, err_msg=name
                )


def test_what_is_empty_takes_no_bytes(tmp_path: Path) -> None:
    path = tmp_path / "empty.onnx"
    path.write_bytes(CASES["empty_beside_full"][0].SerializeToString())
    compiled = compile_model(ModelRequest(path, "m"), find_board("host"))
    assert {port.value.name: port.value.type.size_bytes for port in compiled.program.inputs} == {"e": 0, "x": X.nbytes}
    assert {slot.buffer for slot in compiled.program.slots} == {"x", "y"}
    assert len(compiled.program.calls) == 1
