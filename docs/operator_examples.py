# SPDX-License-Identifier: Apache-2.0
"""A small model for every operator that the ONNX importer knows, in float32 and, where that means something, in int8.

An int8 model is in QDQ form: its input goes through DequantizeLinear, its output through QuantizeLinear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

Array = NDArray[Any]
# One channel, so that no transposition to and from channels-last gets between.
IMAGE, ROW = (1, 1, 6, 6), (1, 8)
_OPSET = 17


@dataclass(frozen=True, slots=True)
class Example:
    """One node on an input "x".

    Attributes:
        operator: the operator.
        shape: of "x".
        weights: constants that int8 models hold as integers, in the operator's order after "x".
        settings: constants that are the same in any model (axes, pads, …), after the weights.
        attributes: of the node.
        second: whether a second input "x2" of the same shape follows "x".
        outputs: how many the node has.
        opset: version of the operator set.
    """

    operator: str
    shape: tuple[int, ...] = ROW
    weights: Mapping[str, Array] = field(default_factory=dict)
    settings: Mapping[str, Array] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    second: bool = False
    outputs: int = 1
    opset: int = _OPSET


def _some(*shape: int) -> Array:
    return np.random.default_rng(5).uniform(0.25, 1, shape).astype(np.float32)


def _numbers(*values: int) -> Array:
    return np.array(values, np.int64)


_NORMALISATION = {name: _some(1) for name in ("scale", "bias", "mean", "variance")}
_PLACES = {"roi": np.zeros(0, np.float32), "scales": np.array([1, 1, 2, 2], np.float32)}
_REGIONS = {"regions": np.array([[1, 1, 4, 5]], np.float32), "batch_indices": _numbers(0)}
_UNPOOLING = {"kernel_shape": [2, 2], "strides": [2, 2]}

EXAMPLES = (
    Example("Conv", IMAGE, {"w": _some(1, 1, 3, 3), "b": _some(1)}, attributes={"pads": [1, 1, 1, 1]}),
    Example("MaxPool", IMAGE, attributes={"kernel_shape": [2, 2]}),
    Example("AveragePool", IMAGE, attributes={"kernel_shape": [2, 2]}),
    Example("GlobalAveragePool", IMAGE),
    Example("GlobalMaxPool", IMAGE),
    Example("Gemm", ROW, {"w": _some(8, 3), "b": _some(3)}),
    Example("MatMul", (4, 4), second=True),
    *(Example(operator, second=True) for operator in ("Add", "Sub", "Mul", "Div")),
    *(Example(operator) for operator in ("Relu", "LeakyRelu", "HardSigmoid", "HardSwish", "Sigmoid", "Tanh")),
    Example("Clip", settings={"min": np.array(0, np.float32), "max": np.array(6, np.float32)}),
    Example("BatchNormalization", IMAGE, settings=_NORMALISATION),
    Example("ReduceMean", IMAGE, attributes={"axes": [2, 3]}),
    Example("Softmax", attributes={"axis": 1}),
    Example("ArgMax", attributes={"axis": 1}),
    Example("Reshape", settings={"shape": _numbers(4, 2)}),
    Example("Flatten", IMAGE),
    Example("Squeeze", settings={"axes": _numbers(0)}),
    Example("Unsqueeze", settings={"axes": _numbers(0)}),
    Example("Transpose", (2, 3), attributes={"perm": [1, 0]}),
    Example("Identity"),
    Example("Dropout"),
    Example("Concat", second=True, attributes={"axis": 1}),
    Example("Split", settings={"split": _numbers(3, 5)}, attributes={"axis": 1}, outputs=2),
    Example("Slice", settings={"starts": _numbers(1), "ends": _numbers(7), "axes": _numbers(1)}),
    Example("Pad", settings={"pads": _numbers(0, 1, 0, 1)}),
    Example("Resize", IMAGE, settings=_PLACES, attributes={"mode": "nearest"}),
    Example("ConvTranspose", IMAGE, {"w": _some(1, 1, 2, 2), "b": _some(1)}, attributes={"strides": [2, 2]}),
    Example("Col2Im", (1, 4, 25), settings={"image": _numbers(6, 6), "block": _numbers(2, 2)}, opset=18),
    Example("DeformConv", IMAGE, {"w": _some(1, 1, 3, 3)}, {"offset": _some(1, 18, 4, 4)}, opset=19),
    Example("GridSample", IMAGE, settings={"grid": _some(1, 3, 3, 2)}),
    Example(
        "RoiAlign", IMAGE, settings=_REGIONS, attributes={"sampling_ratio": 2, "output_height": 2, "output_width": 2}
    ),
    Example("LpPool", IMAGE, attributes={"kernel_shape": [2, 2]}),
    Example("GlobalLpPool", IMAGE),
    Example("MaxUnpool", (1, 1, 1, 2), settings={"indices": _numbers(0, 7).reshape(1, 1, 1, 2)}, attributes=_UNPOOLING),
    Example("InstanceNormalization", IMAGE, settings={"scale": _some(1), "bias": _some(1)}),
    Example("LayerNormalization", ROW, settings={"scale": _some(8), "bias": _some(8)}),
    Example(
        "GroupNormalization",
        IMAGE,
        settings={"scale": _some(1), "bias": _some(1)},
        attributes={"num_groups": 1},
        opset=21,
    ),
    Example("RMSNormalization", ROW, settings={"scale": _some(8)}, opset=23),
    Example("MeanVarianceNormalization", IMAGE),
    Example("LRN", IMAGE, attributes={"size": 3}),
    Example("DepthToSpace", (1, 4, 2, 2), attributes={"blocksize": 2}),
    Example("SpaceToDepth", (1, 1, 4, 4), attributes={"blocksize": 2}),
    Example("Upsample", IMAGE, settings={"scales": _PLACES["scales"]}, attributes={"mode": "nearest"}, opset=9),
)


def float_model(example: Example) -> ModelProto:
    """The example on float32."""
    inputs = _inputs(example)
    constants = {**example.weights, **example.settings}
    node = _node(example, [*inputs, *constants], _outputs(example))
    types = dict.fromkeys(inputs, TensorProto.FLOAT)
    return _model([node], types, example, _outputs(example), _result_type(example, TensorProto.FLOAT), constants)


def int8_model(example: Example) -> ModelProto:
    """The example between DequantizeLinear and QuantizeLinear."""
    nodes: list[NodeProto] = []
    constants: dict[str, Array] = {"s": np.array(0.05, np.float32), "z": np.array(3, np.int8)}
    inputs = [_dequantized(nodes, name, "s", "z") for name in _inputs(example)]
    weights = [_weights(nodes, constants, name, array) for name, array in example.weights.items()]
    constants |= example.settings
    results = _outputs(example)
    nodes.append(_node(example, [*inputs, *weights, *example.settings], [f"{name}_real" for name in results]))
    keeps_type = _result_type(example, 0) != TensorProto.INT64
    last = "QuantizeLinear" if keeps_type else "Identity"
    for name in results:
        nodes.append(helper.make_node(last, [f"{name}_real", "s", "z"] if keeps_type else [f"{name}_real"], [name]))
    types = dict.fromkeys(_inputs(example), TensorProto.INT8)
    return _model(nodes, types, example, results, _result_type(example, TensorProto.INT8), constants)


def _inputs(example: Example) -> list[str]:
    return ["x", "x2"] if example.second else ["x"]


def _outputs(example: Example) -> list[str]:
    return [f"y{index}" for index in range(example.outputs)]


def _result_type(example: Example, otherwise: int) -> int:
    return TensorProto.INT64 if example.operator == "ArgMax" else otherwise


def _node(example: Example, operands: Sequence[str], results: Sequence[str]) -> NodeProto:
    return helper.make_node(example.operator, operands, results, name="example", **example.attributes)


def _dequantized(nodes: list[NodeProto], name: str, scale: str, zero_point: str) -> str:
    nodes.append(helper.make_node("DequantizeLinear", [name, scale, zero_point], [f"{name}_real"]))
    return f"{name}_real"


def _weights(nodes: list[NodeProto], constants: dict[str, Array], name: str, array: Array) -> str:
    """Symmetric int8 for a matrix or filters, int32 at the accumulator's scale for a bias."""
    is_bias = array.ndim == 1
    scale = 0.05 * 0.01 if is_bias else 0.01
    dtype = np.int32 if is_bias else np.int8
    constants[name] = np.round(array / scale).astype(dtype)
    constants[f"{name}_scale"] = np.array(scale, np.float32)
    constants[f"{name}_zero"] = np.array(0, dtype)
    return _dequantized(nodes, name, f"{name}_scale", f"{name}_zero")


def _model(
    nodes: Sequence[NodeProto],
    inputs: Mapping[str, int],
    example: Example,
    outputs: Sequence[str],
    output_type: int,
    constants: Mapping[str, Array],
) -> ModelProto:
    used = {name for node in nodes for name in node.input}
    graph = helper.make_graph(
        list(nodes),
        "example",
        [helper.make_tensor_value_info(name, type_, example.shape) for name, type_ in inputs.items()],
        [helper.make_tensor_value_info(name, output_type, None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in constants.items() if name in used],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", example.opset)], ir_version=8)
