# SPDX-License-Identifier: Apache-2.0
"""A small model of one operator, in float32 and, where that means something, in int8.

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
        takes: element type of the inputs.
        gives: element types of the outputs where these are not the inputs'.
        has_int8: whether an int8 model has this operator.
    """

    operator: str
    shape: tuple[int, ...] = ROW
    weights: Mapping[str, Array] = field(default_factory=dict)
    settings: Mapping[str, Array] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    second: bool = False
    outputs: int = 1
    opset: int = _OPSET
    takes: int = TensorProto.FLOAT
    gives: tuple[int, ...] = ()
    has_int8: bool = True


def some(*shape: int) -> Array:
    """Floats for weights."""
    return np.random.default_rng(5).uniform(0.25, 1, shape).astype(np.float32)


def numbers(*values: int) -> Array:
    """A constant that says what is to be done."""
    return np.array(values, np.int64)


def float_model(example: Example) -> ModelProto:
    """The example on float32, or what else it takes."""
    inputs = _inputs(example)
    constants = {**example.weights, **example.settings}
    node = _node(example, [*inputs, *constants], _outputs(example))
    types = dict.fromkeys(inputs, example.takes)
    return _model([node], types, example, _result_types(example, TensorProto.FLOAT), constants)


def int8_model(example: Example) -> ModelProto:
    """The example between DequantizeLinear and QuantizeLinear."""
    nodes: list[NodeProto] = []
    constants: dict[str, Array] = {"s": np.array(0.05, np.float32), "z": np.array(3, np.int8)}
    inputs = [_dequantized(nodes, name, "s", "z") for name in _inputs(example)]
    weights = [_weights(nodes, constants, name, array) for name, array in example.weights.items()]
    constants |= example.settings
    results = _outputs(example)
    nodes.append(_node(example, [*inputs, *weights, *example.settings], [f"{name}_real" for name in results]))
    given = _result_types(example, TensorProto.INT8)
    for name, type_ in given.items():
        quantised = type_ == TensorProto.INT8
        operands = [f"{name}_real", *(("s", "z") if quantised else ())]
        nodes.append(helper.make_node("QuantizeLinear" if quantised else "Identity", operands, [name]))
    types = dict.fromkeys(_inputs(example), TensorProto.INT8)
    return _model(nodes, types, example, given, constants)


def _inputs(example: Example) -> list[str]:
    return ["x", "x2"] if example.second else ["x"]


def _outputs(example: Example) -> list[str]:
    return [f"y{index}" for index in range(example.outputs)]


def _result_types(example: Example, otherwise: int) -> dict[str, int]:
    """Each output's type; floats are `otherwise` too, in a model that quantises them."""
    names = _outputs(example)
    given = example.gives or (example.takes,) * len(names)
    return {name: otherwise if type_ == TensorProto.FLOAT else type_ for name, type_ in zip(names, given, strict=True)}


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
    outputs: Mapping[str, int],
    constants: Mapping[str, Array],
) -> ModelProto:
    used = {name for node in nodes for name in node.input}
    graph = helper.make_graph(
        list(nodes),
        "example",
        [helper.make_tensor_value_info(name, type_, example.shape) for name, type_ in inputs.items()],
        [helper.make_tensor_value_info(name, type_, None) for name, type_ in outputs.items()],
        [numpy_helper.from_array(array, name) for name, array in constants.items() if name in used],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", example.opset)], ir_version=10)
