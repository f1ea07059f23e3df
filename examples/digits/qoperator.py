# SPDX-License-Identifier: Apache-2.0
"""The int8 QDQ model rewritten in QOperator form, with operators of the default ONNX domain only.

    Conv            → QLinearConv
    MaxPool, Flatten → the same operator on int8
    Gemm            → QLinearMatMul, then the bias by Add between DequantizeLinear and QuantizeLinear
    Softmax         → stays float32 between DequantizeLinear and QuantizeLinear

ONNX Runtime's own QOperator writer takes QGemm and QLinearSoftmax of its private domain, which no other reader knows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import helper, numpy_helper

from examples.digits.layers import Array
from examples.digits.quantise import Quantisation, initialiser, quantisation

_SUFFIX = "_QuantizeLinear_Output"


@dataclass(frozen=True, slots=True)
class _Stored:
    """The int8 (or int32) tensor that stands for a float32 one, and the names of its scale and zero point."""

    name: str
    scale: str
    zero_point: str

    @property
    def trio(self) -> list[str]:
        return [self.name.removesuffix(_SUFFIX), self.scale, self.zero_point]


@dataclass(frozen=True, slots=True)
class _Piece:
    """What one node of the QDQ model turns into."""

    nodes: tuple[onnx.NodeProto, ...]
    initialisers: tuple[onnx.TensorProto, ...] = ()


_Tensors = Mapping[str, _Stored]


def _stored_tensors(graph: onnx.GraphProto) -> dict[str, _Stored]:
    """For every float32 tensor next to a QuantizeLinear or DequantizeLinear, its stored form."""
    found: dict[str, _Stored] = {}
    for node in graph.node:
        if node.op_type == "DequantizeLinear":
            found[node.output[0]] = _Stored(*node.input)
        if node.op_type == "QuantizeLinear":
            found[node.input[0]] = _Stored(node.output[0], *node.input[1:])
    return found


def _convolution(node: onnx.NodeProto, tensors: _Tensors, _: onnx.ModelProto) -> _Piece:
    x, weight, bias = (tensors[name] for name in node.input)
    y = tensors[node.output[0]]
    inputs = [*x.trio, *weight.trio, y.scale, y.zero_point, bias.name]
    made = helper.make_node("QLinearConv", inputs, y.trio[:1], name=node.name)
    made.attribute.extend(node.attribute)
    return _Piece((made,))


def _on_int8(node: onnx.NodeProto, tensors: _Tensors, _: onnx.ModelProto) -> _Piece:
    """An operator that only moves or compares values: the same one, on the stored values."""
    made = onnx.NodeProto()
    made.CopyFrom(node)
    made.input[:] = tensors[node.input[0]].trio[:1]
    made.output[:] = tensors[node.output[0]].trio[:1]
    return _Piece((made,))


def _on_float32(node: onnx.NodeProto, tensors: _Tensors, _: onnx.ModelProto) -> _Piece:
    """An operator without a quantised form: itself, between a DequantizeLinear and a QuantizeLinear."""
    reals = [f"{node.name}_operand_{i}" for i in range(len(node.input))]
    result = f"{node.name}_real"
    y = tensors[node.output[0]]
    made = helper.make_node(node.op_type, reals, [result], name=node.name)
    made.attribute.extend(node.attribute)
    before = [
        helper.make_node("DequantizeLinear", tensors[name].trio, [real], name=f"{real}_dequantise")
        for name, real in zip(node.input, reals, strict=True)
    ]
    after = helper.make_node("QuantizeLinear", [result, *y.trio[1:]], y.trio[:1], name=f"{node.name}_quantise")
    return _Piece((*before, made, after))


def _dense(node: onnx.NodeProto, tensors: _Tensors, model: onnx.ModelProto) -> _Piece:
    """`Gemm` with a transposed weight: the product in int8, then the bias, itself int8, added."""
    x, weight, bias = (tensors[name] for name in node.input)
    reals = initialiser(model, bias.name) * initialiser(model, bias.scale)
    product = f"{node.name}_product"
    forms = {
        product: _product_range(quantisation(model, tensors[node.output[0]].name), reals),
        bias.name: Quantisation(np.float32(np.abs(reals).max() / 127), np.int8(0)),
    }
    stored = {name: _Stored(name, f"{name}_scale", f"{name}_zero_point") for name in forms}
    multiply = helper.make_node(
        "QLinearMatMul", [*x.trio, *weight.trio, *stored[product].trio[1:]], [product], name=product
    )
    add = helper.make_node("Add", [product, bias.name], node.output, name=node.name)
    constants = [
        numpy_helper.from_array(np.ascontiguousarray(initialiser(model, weight.name).T), weight.name),
        numpy_helper.from_array(forms[bias.name].quantise(reals), bias.name),
        *(numpy_helper.from_array(np.array(form.scale), stored[name].scale) for name, form in forms.items()),
        *(numpy_helper.from_array(np.array(form.zero_point), stored[name].zero_point) for name, form in forms.items()),
    ]
    return _Piece((multiply, *_on_float32(add, {**tensors, **stored}, model).nodes), tuple(constants))


def _product_range(logits: Quantisation, bias: Array) -> Quantisation:
    """A product is a logit less its bias, so the logits' range, widened by the biases', holds every product."""
    low = logits.scale * np.float32(-128 - int(logits.zero_point)) - bias.max()
    high = logits.scale * np.float32(127 - int(logits.zero_point)) - bias.min()
    scale = np.float32((high - low) / 255)
    return Quantisation(scale, np.int8(np.rint(-128 - low / scale)))


_REWRITES: Mapping[str, Callable[[onnx.NodeProto, _Tensors, onnx.ModelProto], _Piece]] = {
    "Conv": _convolution,
    "MaxPool": _on_int8,
    "Flatten": _on_int8,
    "Gemm": _dense,
    "Softmax": _on_float32,
}


def to_qoperator(qdq: onnx.ModelProto) -> onnx.ModelProto:
    """The QOperator form of an int8 QDQ model with int8 ends, checked."""
    tensors = _stored_tensors(qdq.graph)
    computing = [node for node in qdq.graph.node if node.op_type in _REWRITES]
    pieces = [_REWRITES[node.op_type](node, tensors, qdq) for node in computing]
    nodes = [node for piece in pieces for node in piece.nodes]
    constants = {tensor.name: tensor for tensor in qdq.graph.initializer}
    constants |= {tensor.name: tensor for piece in pieces for tensor in piece.initialisers}
    used = {name for node in nodes for name in node.input}
    graph = helper.make_graph(
        nodes,
        qdq.graph.name,
        qdq.graph.input,
        qdq.graph.output,
        [tensor for name, tensor in constants.items() if name in used],
    )
    model = helper.make_model(graph, producer_name="digits", opset_imports=qdq.opset_import, ir_version=qdq.ir_version)
    onnx.checker.check_model(model, full_check=True)
    return model
