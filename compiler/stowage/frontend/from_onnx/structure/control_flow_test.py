# SPDX-License-Identifier: Apache-2.0
"""If, Loop and Scan against ONNX Runtime, and what of them cannot be decided at build time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.model_making import floats, model_of
from stowage.frontend.from_onnx.oracle import check_import
from stowage.frontend.from_onnx.refusing import refusal

TRUTH = helper.make_tensor_value_info("going", TensorProto.BOOL, [])
COUNT = helper.make_tensor_value_info("step", TensorProto.INT64, [])
X = floats("x", [2, 3])


def graph(
    nodes: Sequence[NodeProto],
    inputs: Sequence[ValueInfoProto],
    outputs: Sequence[ValueInfoProto],
    **constants: Any,
) -> GraphProto:
    initialisers = [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()]
    return helper.make_graph(list(nodes), "body", list(inputs), list(outputs), initialisers)


def branches(condition: Any) -> ModelProto:
    """y = relu(x) + 1 or tanh(x) - k, where x and k are made around the node."""
    one = np.array(1, np.float32)
    taken = graph(
        [helper.make_node("Relu", ["x"], ["r"]), helper.make_node("Add", ["r", "one"], ["t"])],
        [],
        [floats("t", None)],
        one=one,
    )
    other = graph(
        [helper.make_node("Tanh", ["x"], ["r"]), helper.make_node("Sub", ["r", "k"], ["t"])], [], [floats("t", None)]
    )
    node = helper.make_node("If", ["c"], ["y"], name="i", then_branch=taken, else_branch=other)
    return model_of([node], [X], [floats("y", None)], {"k": np.array(3, np.float32), "c": condition})


def loop(
    *,
    trips: int | None = 3,
    nodes: Sequence[NodeProto] = (),
    condition: str = "going",
    operand: str = "x",
    extra: Sequence[NodeProto] = (),
    inputs: Sequence[ValueInfoProto] = (X,),
) -> ModelProto:
    """state = 2 * state + step, all states collected."""
    body = graph(
        [
            helper.make_node("Cast", ["step"], ["real"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["state", "two"], ["double"], name="m"),
            helper.make_node("Add", ["double", "real"], ["next"]),
            helper.make_node("Identity", ["next"], ["collected"]),
            helper.make_node("Less", ["step", "last"], ["early"]),
            *nodes,
        ],
        [COUNT, TRUTH, floats("state", None)],
        [
            helper.make_tensor_value_info(condition, TensorProto.BOOL, None),
            floats("next", None),
            floats("collected", [2, 3]),
        ],
        two=np.array(2, np.float32),
        last=np.array(4),
    )
    count = "" if trips is None else "trips"
    node = helper.make_node("Loop", [count, "", operand], ["y", "all"], name="l", body=body)
    constants = {} if trips is None else {"trips": np.array(trips)}
    return model_of([*extra, node], inputs, [floats("y", None), floats("all", None)], constants)


def nested_loop() -> ModelProto:
    """An inner loop that runs as often as the outer one has counted, and reads what is around both."""
    inner = graph(
        [helper.make_node("Add", ["inner", "x"], ["sum"])],
        [COUNT, TRUTH, floats("inner", None)],
        [TRUTH, floats("sum", None)],
    )
    outer = graph(
        [helper.make_node("Loop", ["outer_step", "", "state"], ["next"], body=inner)],
        [helper.make_tensor_value_info("outer_step", TensorProto.INT64, []), TRUTH, floats("state", None)],
        [TRUTH, floats("next", None)],
    )
    node = helper.make_node("Loop", ["trips", "", "x"], ["y"], body=outer)
    return model_of([node], [X], [floats("y", None)], {"trips": np.array(4)})


def scan(axes: tuple[int, int] = (0, 0), directions: tuple[int, int] = (0, 0), **attributes: Any) -> ModelProto:
    """Running sums of a + b, and the products of each place."""
    body = graph(
        [
            helper.make_node("Add", ["a", "b"], ["c"]),
            helper.make_node("Add", ["sum", "c"], ["next"]),
            helper.make_node("Mul", ["a", "b"], ["product"]),
        ],
        [floats(name, None) for name in ("sum", "a", "b")],
        [floats("next", None), floats("product", None)],
    )
    node = helper.make_node(
        "Scan",
        ["start", "p", "q"],
        ["y", "products"],
        body=body,
        num_scan_inputs=2,
        scan_input_axes=axes,
        scan_input_directions=directions,
        **attributes,
    )
    inputs = [floats("start", [3]), *(floats(n, [4, 3] if a == 0 else [3, 4]) for n, a in zip("pq", axes, strict=True))]
    return model_of([node], inputs, [floats("y", None), floats("products", None)])


def scan_of_batches() -> ModelProto:
    """As operator set 8 had it."""
    body = graph(
        [helper.make_node("Add", ["sum", "a"], ["next"]), helper.make_node("Identity", ["next"], ["shown"])],
        [floats("sum", [3]), floats("a", [3])],
        [floats("next", [3]), floats("shown", [3])],
    )
    node = helper.make_node("Scan", ["", "start", "p"], ["y", "all"], body=body, num_scan_inputs=1, directions=[1])
    inputs = [floats("start", [2, 3]), floats("p", [2, 4, 3])]
    return model_of([node], inputs, [floats("y", [2, 3]), floats("all", [2, 4, 3])], opset=8)


CASES = {
    "then": branches(np.array(True)),
    "else": branches(np.array([False])),
    "loop": loop(),
    "loop until": loop(trips=None, condition="early"),
    "loop until or count": loop(trips=2, condition="early"),
    "nested loops": nested_loop(),
    "scan": scan(),
    "scan of columns": scan((1, -1), (0, 1)),
    "scan collecting columns": scan((0, 1), (1, 0), scan_output_axes=[-1], scan_output_directions=[1]),
    "scan of batches": scan_of_batches(),
}


@pytest.mark.parametrize("name", CASES)
def test_control_flow_is_unrolled(name: str, tmp_path: Path) -> None:
    check_import(CASES[name], tmp_path)


def test_names_of_a_body_keep_apart(tmp_path: Path) -> None:
    """Nodes of a body have their names of the file, numbered where there are several; values never clash."""
    imported = check_import(loop(), tmp_path)
    assert [node.name for node in imported.nodes if node.name.startswith("m")] == ["m", "m.1", "m.2"]


def test_loop_that_ends_at_run_time(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("ReduceSum", ["next"], ["total"], keepdims=0),
        helper.make_node("Less", ["total", "two"], ["small"]),
    ]
    model = loop(nodes=nodes, condition="small")
    assert refusal(model, tmp_path, UnsupportedModel) == (
        "Loop node 'l': whether it goes on ('y.small') is computed at run time, but steps must be counted at build "
        "time; let it run a fixed number of times."
    )


def test_loop_without_end(tmp_path: Path) -> None:
    sentence = refusal(loop(trips=2**62), tmp_path, UnsupportedModel)
    assert sentence == (
        "Loop node 'l': control flow unrolls to more than 2048 bodies or 16384 nodes; let loops run fewer times."
    )


def test_branch_that_reads_what_nothing_makes(tmp_path: Path) -> None:
    model = branches(np.array(True))
    model.graph.node[0].attribute[0].g.node[0].input[0] = "nobody"
    assert refusal(model, tmp_path, InvalidModel) == (
        "If node 'i': it reads the tensor 'nobody', which no node, input or initialiser makes; export the model again."
    )


def test_body_that_does_not_suit(tmp_path: Path) -> None:
    model = loop()
    model.graph.node[0].attribute[0].g.input.pop()
    assert refusal(model, tmp_path, InvalidModel).startswith("Loop node 'l': ")
