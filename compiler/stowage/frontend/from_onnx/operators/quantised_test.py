# SPDX-License-Identifier: Apache-2.0
"""Quantisation goes from ONNX's operands into tensor types, wherever in the graph integers come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

from stowage.errors import UnsupportedModel
from stowage.frontend.from_onnx.model_making import floats, model_of
from stowage.frontend.from_onnx.oracle import check_import, imported
from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node
from stowage.ir.ops.elementwise import Dequantize, Quantize, Table
from stowage.ir.ops.movement import Constant
from stowage.ir.tensor_type import Quant

Array = NDArray[Any]
TENSOR = Quant((0.25,), (3,))
SCALES: dict[str, Array] = {"s": np.array(0.25, np.float32), "z": np.array(3, np.int8), "zu": np.array(130, np.uint8)}


def bytes_of(name: str, shape: list[int], signed: bool = True) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.INT8 if signed else TensorProto.UINT8, shape)


def weights(*shape: int, largest: int = 127) -> Array:
    return np.random.default_rng(3).integers(-largest, largest + 1, shape).astype(np.int8)


def largest_weight(signed: bool) -> int:
    """On CPUs without VNNI ONNX Runtime saturates sums of two unsigned-by-signed products; 7 bits are exact there."""
    return 127 if signed else 63


def only(graph: Graph, kind: type) -> Node:
    (node,) = [node for node in graph.nodes if isinstance(node.op, kind)]
    return node


def count(graph: Graph, kind: type) -> int:
    return sum(isinstance(node.op, kind) for node in graph.nodes)


def test_quantize_and_dequantize(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"]),
    ]
    graph = check_import(model_of(nodes, [floats("x", [4, 5])], [floats("y", [4, 5])], SCALES), tmp_path)
    assert only(graph, Quantize).op == Quantize(DType.I8, TENSOR)
    assert only(graph, Dequantize).inputs[0].type.quant == TENSOR


@pytest.mark.parametrize("opset", [10, 13, 21, 23])
def test_absent_zero_point_is_unsigned(opset: int, tmp_path: Path) -> None:
    nodes = [helper.make_node("QuantizeLinear", ["x", "s"], ["y"])]
    model = model_of(nodes, [floats("x", [4, 5])], [bytes_of("y", [4, 5], False)], {"s": SCALES["s"]}, opset)
    assert only(check_import(model, tmp_path), Quantize).op == Quantize(DType.U8, Quant((0.25,), (0,)))


def test_output_dtype_decides_where_no_zero_point_does(tmp_path: Path) -> None:
    nodes = [helper.make_node("QuantizeLinear", ["x", "s"], ["y"], output_dtype=TensorProto.INT16)]
    outputs = [helper.make_tensor_value_info("y", TensorProto.INT16, [4])]
    graph = check_import(model_of(nodes, [floats("x", [4])], outputs, {"s": SCALES["s"]}), tmp_path)
    assert graph.outputs[0].type.dtype is DType.I16


def test_per_channel_activation(tmp_path: Path) -> None:
    constants = {"s": np.array([0.5, 0.25, 2], np.float32), "z": np.array([0, 1, -2], np.int8)}
    nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"], axis=-2)]
    model = model_of(nodes, [floats("x", [2, 3, 4])], [bytes_of("y", [2, 3, 4])], constants)
    assert check_import(model, tmp_path).outputs[0].type.quant == Quant((0.5, 0.25, 2.0), (0, 1, -2), 1)


def test_input_is_quantised_as_it_is_read_after_being_moved(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Transpose", ["x"], ["t"], perm=[0, 2, 1]),
        helper.make_node("Flatten", ["t"], ["f"]),
        helper.make_node("DequantizeLinear", ["f", "s", "z"], ["y"]),
    ]
    graph = check_import(model_of(nodes, [bytes_of("x", [2, 3, 4])], [floats("y", [2, 12])], SCALES), tmp_path)
    assert graph.inputs[0].type.quant == TENSOR
    assert count(graph, Table) == 0


def test_two_readers_with_two_quantisations(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "s", "z"], ["y"]),
        helper.make_node("DequantizeLinear", ["x", "s2", "z"], ["y2"]),
    ]
    constants = {"s": SCALES["s"], "z": SCALES["z"], "s2": np.array(0.5, np.float32)}
    outputs = [floats("y", [4]), floats("y2", [4])]
    graph = check_import(model_of(nodes, [bytes_of("x", [4])], outputs, constants), tmp_path)
    assert only(graph, Table).output.type.quant == Quant((0.5,), (3,))


def test_wide_integers_have_one_quantisation(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "s"], ["y"]),
        helper.make_node("DequantizeLinear", ["x", "s2"], ["y2"]),
    ]
    constants = {"s": SCALES["s"], "s2": np.array(0.5, np.float32)}
    inputs = [helper.make_tensor_value_info("x", TensorProto.INT16, [4])]
    model = model_of(nodes, inputs, [floats("y", [4]), floats("y2", [4])], constants)
    with pytest.raises(UnsupportedModel, match="operand 'x' of type i16 is read with another quantisation than it is "):
        imported(model, tmp_path)


def test_arithmetic_on_the_integers_themselves(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node("Cast", ["q"], ["y"], to=TensorProto.INT32),
    ]
    outputs = [helper.make_tensor_value_info("y", TensorProto.INT32, [4])]
    check_import(model_of(nodes, [floats("x", [4])], outputs, SCALES), tmp_path)


@pytest.mark.parametrize("op", ["Pad", "Concat", "MaxPool", "Slice", "Split", "Resize", "ArgMax"])
def test_moving_keeps_the_quantisation(op: str, tmp_path: Path) -> None:
    constants: dict[str, Array] = {
        "pads": np.array([0, 0, 1, 0, 0, 0, 0, 2]),
        "five": np.array(5, np.int8),
        "more": np.full((1, 2, 4, 4), 7, np.int8),
        "one": np.array([1]),
        "three": np.array([3]),
        "two": np.array([2]),
        "scales": np.array([1, 1, 2, 2], np.float32),
    }
    node = {
        "Pad": helper.make_node("Pad", ["x", "pads", "five"], ["m"]),
        "Concat": helper.make_node("Concat", ["x", "more"], ["m"], axis=1),
        "MaxPool": helper.make_node("MaxPool", ["x"], ["m"], kernel_shape=[2, 2]),
        "Slice": helper.make_node("Slice", ["x", "one", "three", "two"], ["m"]),
        "Split": helper.make_node("Split", ["x"], ["m", "rest"], axis=2, num_outputs=2),
        "Resize": helper.make_node("Resize", ["x", "", "scales"], ["m"]),
        "ArgMax": helper.make_node("ArgMax", ["x"], ["m"], axis=1),
    }[op]
    graph = check_import(after_moving(node, constants), tmp_path)
    assert count(graph, Table) == 0
    assert all(value.type.quant in (None, TENSOR) for value in graph.outputs)
    assert graph.inputs[0].type.quant == (None if op == "ArgMax" else TENSOR)


def after_moving(node: NodeProto, constants: dict[str, Array]) -> ModelProto:
    """The node, then DequantizeLinear, unless it makes indices."""
    used: dict[str, Array] = {name: constants[name] for name in node.input if name in constants}
    nodes, output = [node], helper.make_empty_tensor_value_info("m")
    if node.op_type != "ArgMax":
        nodes.append(helper.make_node("DequantizeLinear", ["m", "s", "z"], ["y"]))
        output = floats("y", None)
        used |= {"s": SCALES["s"], "z": SCALES["z"]}
    return model_of(nodes, [bytes_of("x", [1, 2, 4, 4])], [output], used)


def qdq_conv(channels: int) -> ModelProto:
    """A convolution between quantised tensors with weights and bias of one scale a channel, or one for all."""
    scale = np.linspace(0.01, 0.02, channels, dtype=np.float32)
    scale = scale[0] if channels == 1 else scale
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "s", "z"], ["xf"]),
        helper.make_node("DequantizeLinear", ["w", "ws"], ["wf"], axis=0),
        helper.make_node("DequantizeLinear", ["b", "bs"], ["bf"], axis=0),
        helper.make_node("Conv", ["xf", "wf", "bf"], ["c"], name="conv", pads=[1, 1, 1, 1]),
        helper.make_node("QuantizeLinear", ["c", "s", "z"], ["y"]),
    ]
    constants = {
        "s": SCALES["s"],
        "z": SCALES["z"],
        "w": weights(4, 3, 3, 3),
        "ws": np.asarray(scale, np.float32),
        "b": np.arange(4, dtype=np.int32) * 100,
        "bs": np.asarray(scale * np.float32(0.25), np.float32),
    }
    return model_of(nodes, [bytes_of("x", [1, 3, 6, 6])], [bytes_of("y", [1, 4, 6, 6])], constants)


@pytest.mark.parametrize("channels", [1, 4])
def test_weights_stay_constants_under_their_quantisation(channels: int, tmp_path: Path) -> None:
    graph = check_import(qdq_conv(channels), tmp_path)
    constants = {node.output.type.shape: node.output.type for node in graph.nodes if isinstance(node.op, Constant)}
    quant = constants[(4, 3, 3, 3)].quant
    assert quant is not None
    assert quant.axis == (0 if channels == 4 else None)
    assert constants[(4, 3, 3, 3)].dtype is DType.I8
    assert constants[(4,)].dtype is DType.I32
    makers = {node.output.name: node for node in graph.nodes}
    conv = next(node for node in graph.nodes if node.name == "conv")
    assert [type(makers[value.name].op) for value in conv.inputs[1:]] == [Dequantize, Dequantize]


def test_quantised_axis_moves_with_the_weights(tmp_path: Path) -> None:
    """One scale an input channel: axis 1 in ONNX's order, the last in Stowage's."""
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "ws"], ["wf"], axis=1),
        helper.make_node("Conv", ["x", "wf"], ["y"]),
    ]
    constants = {"w": weights(4, 3, 2, 2), "ws": np.array([0.01, 0.02, 0.03], np.float32)}
    graph = check_import(model_of(nodes, [floats("x", [1, 3, 4, 4])], [floats("y", None)], constants), tmp_path)
    quant = only(graph, Constant).output.type.quant
    assert quant is not None
    assert quant.axis == 3


def test_float_weights_that_the_file_quantises(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("QuantizeLinear", ["w", "ws", "wz"], ["wq"], axis=0),
        helper.make_node("DequantizeLinear", ["wq", "ws", "wz"], ["wf"], axis=0),
        helper.make_node("Conv", ["x", "wf"], ["y"]),
    ]
    real = np.random.default_rng(5).normal(size=(4, 3, 2, 2)).astype(np.float32)
    constants = {"w": real, "ws": np.array([0.01, 0.02, 0.03, 0.04], np.float32), "wz": np.zeros(4, np.int8)}
    graph = check_import(model_of(nodes, [floats("x", [1, 3, 4, 4])], [floats("y", None)], constants), tmp_path)
    assert only(graph, Constant).output.type.dtype is DType.I8
    assert count(graph, Quantize) == 0


def test_negative_scale_of_a_constant(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wf"], axis=1),
        helper.make_node("MatMul", ["x", "wf"], ["y"]),
    ]
    scales, zero_points = np.array([0.5, -0.25], np.float32), np.array([3, -2], np.int8)
    constants = {"w": weights(5, 2, largest=100), "ws": scales, "wz": zero_points}
    model = model_of(nodes, [floats("x", [3, 5])], [floats("y", [3, 2])], constants)
    quant = only(check_import(model, tmp_path), Dequantize).inputs[0].type.quant
    assert quant == Quant((0.5, 0.25), (3, -2), 1)


def test_negative_scale_without_mirror_image(tmp_path: Path) -> None:
    nodes = [helper.make_node("DequantizeLinear", ["w", "ws"], ["wf"]), helper.make_node("Add", ["x", "wf"], ["y"])]
    constants = {"w": np.array([-128, 1], np.int8), "ws": np.array(-0.5, np.float32)}
    model = model_of(nodes, [floats("x", [2])], [floats("y", [2])], constants)
    with pytest.raises(UnsupportedModel, match="a scale is negative, and its integers have no mirror image"):
        imported(model, tmp_path)


@pytest.mark.parametrize("op_type", ["Pad", "Clip"])
def test_a_bound_or_fill_value_that_is_quantised_as_well(op_type: str, tmp_path: Path) -> None:
    second = {"Pad": np.array([0, 1, 1, 0]), "Clip": np.array(-1, np.float32)}[op_type]
    nodes = [
        helper.make_node("QuantizeLinear", ["v", "s", "z"], ["vq"]),
        helper.make_node("DequantizeLinear", ["vq", "s", "z"], ["vd"]),
        helper.make_node(op_type, ["x", "second", "vd"], ["y"]),
    ]
    constants = {"v": np.array(0.6, np.float32), "second": second, "s": SCALES["s"], "z": SCALES["z"]}
    check_import(model_of(nodes, [floats("x", [2, 3])], [floats("y", None)], constants), tmp_path)


@pytest.mark.parametrize(("signed", "channels"), [(True, 1), (True, 4), (False, 1), (False, 4)])
def test_qlinear_conv(signed: bool, channels: int, tmp_path: Path) -> None:
    zero = "z" if signed else "zu"
    node = helper.make_node("QLinearConv", ["x", "s", zero, "w", "ws", "wz", "ys", zero, "b"], ["y"], group=2)
    constants = {
        "s": SCALES["s"],
        zero: SCALES[zero],
        "w": weights(4, 2, 3, 3, largest=largest_weight(signed)),
        "ws": np.linspace(0.01, 0.02, channels, dtype=np.float32),
        "wz": np.zeros(channels, np.int8),
        "ys": np.array(0.5, np.float32),
        "b": np.arange(4, dtype=np.int32) * 50,
    }
    model = model_of([node], [bytes_of("x", [1, 4, 5, 5], signed)], [bytes_of("y", [1, 4, 3, 3], signed)], constants)
    graph = check_import(model, tmp_path)
    assert graph.outputs[0].type.quant == Quant((0.5,), (int(SCALES[zero]),))


@pytest.mark.parametrize(("signed", "columns"), [(True, 1), (True, 3), (False, 1)])
def test_qlinear_matmul(signed: bool, columns: int, tmp_path: Path) -> None:
    zero = "z" if signed else "zu"
    node = helper.make_node("QLinearMatMul", ["x", "s", zero, "w", "ws", "wz", "ys", zero], ["y"])
    constants = {
        "s": SCALES["s"],
        zero: SCALES[zero],
        "w": weights(4, 3, largest=largest_weight(signed)),
        "ws": np.linspace(0.01, 0.02, columns, dtype=np.float32),
        "wz": np.zeros(columns, np.int8),
        "ys": np.array(0.5, np.float32),
    }
    inputs, outputs = [bytes_of("x", [2, 4], signed)], [bytes_of("y", [2, 3], signed)]
    check_import(model_of([node], inputs, outputs, constants), tmp_path)
