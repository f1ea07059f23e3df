# SPDX-License-Identifier: Apache-2.0
"""Quantisation whose scales and zero points are computed at run time is what ONNX Runtime makes of it, within a step.

Scales are |s| / 10 + 0.01 of a random input, so that they are positive and no constant.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import NodeProto, TensorProto, ValueInfoProto, helper

from stowage.frontend.from_onnx.model_making import model_of
from stowage.frontend.from_onnx.oracle import imported, random_inputs, runtime_outputs
from stowage.ir.reference import run

TYPES = {"f": TensorProto.FLOAT, "B": TensorProto.UINT8, "b": TensorProto.INT8, "H": TensorProto.UINT16}
TYPES |= {"h": TensorProto.INT16, "i": TensorProto.INT32, "e": TensorProto.FLOAT16}


def tensor(name: str, kind: str, *shape: int) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TYPES[kind], shape)


def scale(name: str, *shape: int) -> tuple[ValueInfoProto, list[NodeProto]]:
    """An input, and the nodes that make the scale `name` of it."""
    nodes = [
        helper.make_node("Abs", [f"{name}_in"], [f"{name}_size"]),
        helper.make_node("Mul", [f"{name}_size", "tenth"], [f"{name}_small"]),
        helper.make_node("Add", [f"{name}_small", "hundredth"], [name]),
    ]
    return tensor(f"{name}_in", "f", *shape), nodes


CONSTANTS = {"tenth": np.array(0.1, np.float32), "hundredth": np.array(0.01, np.float32)}


def check(
    nodes: list[NodeProto], inputs: list[ValueInfoProto], scales: dict[str, tuple[int, ...]], folder: Path, steps: int
) -> None:
    """Both results of random inputs differ by no more than that many steps, or by rounding where they are reals."""
    made = {name: scale(name, *shape) for name, shape in scales.items()}
    before = [node for _, some in made.values() for node in some]
    outputs = [helper.make_empty_tensor_value_info(name) for name in nodes[-1].output]
    model = model_of([*before, *nodes], [*inputs, *(info for info, _ in made.values())], outputs, CONSTANTS, 21)
    graph = imported(model, folder)
    given = random_inputs(graph)
    expected, found = runtime_outputs(model, given), run(graph, given)
    for name, wanted in expected.items():
        assert found[name].dtype == wanted.dtype
        assert found[name].shape == wanted.shape
        tolerance = 1e-5 if wanted.dtype.kind == "f" else steps
        np.testing.assert_allclose(found[name].astype(np.float64), wanted.astype(np.float64), rtol=0, atol=tolerance)


FORMS: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    ((), {}),
    ((1,), {}),
    ((3,), {"axis": 1}),
    ((4,), {"axis": -1}),
    ((2, 3, 2), {"axis": 2, "block_size": 2}),
    ((2, 2, 4), {"axis": 1, "block_size": 2}),
]


@pytest.mark.parametrize("kind", ["B", "b", "H", "h"])
@pytest.mark.parametrize(("shape", "attributes"), FORMS)
def test_quantise(kind: str, shape: tuple[int, ...], attributes: dict[str, Any], tmp_path: Path) -> None:
    inputs = [tensor("x", "f", 2, 3, 4), tensor("z", kind, *shape)]
    check([helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"], **attributes)], inputs, {"s": shape}, tmp_path, 0)


@pytest.mark.parametrize("kind", ["B", "b", "H", "h"])
@pytest.mark.parametrize(("shape", "attributes"), FORMS)
def test_dequantise(kind: str, shape: tuple[int, ...], attributes: dict[str, Any], tmp_path: Path) -> None:
    inputs = [tensor("x", kind, 2, 3, 4), tensor("z", kind, *shape)]
    node = helper.make_node("DequantizeLinear", ["x", "s", "z"], ["y"], **attributes)
    check([node], inputs, {"s": shape}, tmp_path, 0)


def test_dequantise_without_a_zero_point(tmp_path: Path) -> None:
    node = helper.make_node("DequantizeLinear", ["x", "s"], ["y"])
    check([node], [tensor("x", "i", 2, 3)], {"s": ()}, tmp_path, 0)


def test_a_scale_of_16_bits_makes_reals_of_16_bits(tmp_path: Path) -> None:
    nodes = [helper.make_node("Cast", ["s"], ["half"], to=TensorProto.FLOAT16)]
    nodes.append(helper.make_node("DequantizeLinear", ["x", "half", "z"], ["y"]))
    check(nodes, [tensor("x", "B", 2, 3), tensor("z", "B")], {"s": ()}, tmp_path, 0)


def test_quantise_dynamically(tmp_path: Path) -> None:
    node = helper.make_node("DynamicQuantizeLinear", ["x"], ["y", "scale", "zero_point"])
    check([node], [tensor("x", "f", 3, 4, 5)], {}, tmp_path, 0)


@pytest.mark.parametrize("zeros", [(), (1,), (5,)])
def test_matmul_integer(zeros: tuple[int, ...], tmp_path: Path) -> None:
    inputs = [tensor("a", "B", 2, 3, 4), tensor("b", "B", 4, 5), tensor("az", "B"), tensor("bz", "B", *zeros)]
    check([helper.make_node("MatMulInteger", ["a", "b", "az", "bz"], ["y"])], inputs, {}, tmp_path, 0)


@pytest.mark.parametrize("columns", [(), (5,)])
def test_qlinear_matmul(columns: tuple[int, ...], tmp_path: Path) -> None:
    inputs = [tensor("a", "B", 3, 4), tensor("b", "B", 4, 5), tensor("z", "B"), tensor("bz", "B", *columns)]
    node = helper.make_node("QLinearMatMul", ["a", "as", "z", "b", "bs", "bz", "ys", "z"], ["y"])
    check([node], inputs, {"as": (), "bs": columns, "ys": ()}, tmp_path, 1)


CONVOLUTIONS: list[dict[str, Any]] = [
    {},
    {"pads": [1, 0, 2, 1], "strides": [2, 1]},
    {"strides": [2, 1], "auto_pad": "SAME_UPPER"},
    {"dilations": [2, 1], "pads": [0, 1, 0, 1]},
    {"group": 2},
]


@pytest.mark.parametrize("attributes", CONVOLUTIONS)
def test_conv_integer(attributes: dict[str, Any], tmp_path: Path) -> None:
    taken = 4 // attributes.get("group", 1)
    inputs = [tensor("x", "B", 2, 4, 6, 5), tensor("w", "B", 6, taken, 3, 2), tensor("z", "B"), tensor("wz", "B")]
    check([helper.make_node("ConvInteger", ["x", "w", "z", "wz"], ["y"], **attributes)], inputs, {}, tmp_path, 0)


@pytest.mark.parametrize("attributes", CONVOLUTIONS)
def test_qlinear_conv(attributes: dict[str, Any], tmp_path: Path) -> None:
    taken = 4 // attributes.get("group", 1)
    inputs = [tensor("x", "B", 2, 4, 6, 5), tensor("w", "B", 6, taken, 3, 2), tensor("z", "B"), tensor("wz", "B", 6)]
    node = helper.make_node("QLinearConv", ["x", "xs", "z", "w", "ws", "zeros", "ys", "z", "b"], ["y"], **attributes)
    nodes = [helper.make_node("Sub", ["wz", "wz"], ["zeros"]), node]
    check(nodes, [*inputs, tensor("b", "i", 6)], {"xs": (), "ws": (6,), "ys": ()}, tmp_path, 1)
