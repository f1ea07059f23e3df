# SPDX-License-Identifier: Apache-2.0
"""QOperator models with their products spelled out as what they mean: dequantise, multiply in reals, quantise.

ONNX Runtime's own products of uint8 by int8 saturate their partial sums at 16 bits on processors without VNNI
(its documentation advises 7-bit weights there), so on such a machine it is no judge of them.
"""

from __future__ import annotations

from onnx import ModelProto, NodeProto, helper


def expanded(model: ModelProto) -> ModelProto:
    """The same model without QLinearConv and QLinearMatMul."""
    result = ModelProto()
    result.CopyFrom(model)
    del result.graph.node[:]
    for node in model.graph.node:
        result.graph.node.extend(_expanded(node) if node.op_type in ("QLinearConv", "QLinearMatMul") else [node])
    return result


def _expanded(node: NodeProto) -> list[NodeProto]:
    name = node.output[0]
    real = [f"{name}.{part}" for part in ("data", "weights", "product")]
    channels = 0 if node.op_type == "QLinearConv" else 1
    nodes = [
        helper.make_node("DequantizeLinear", node.input[0:3], [real[0]]),
        helper.make_node("DequantizeLinear", node.input[3:6], [real[1]], axis=channels),
        helper.make_node(node.op_type.removeprefix("QLinear"), real[:2], [real[2]]),
        helper.make_node("QuantizeLinear", [real[2], *node.input[6:8]], [name]),
    ]
    nodes[2].attribute.extend(node.attribute)
    if len(node.input) > 8 and node.input[8]:
        scale, bias = f"{name}.bias_scale", f"{name}.bias"
        nodes[2].input.append(bias)
        nodes[2:2] = [
            helper.make_node("Mul", [node.input[1], node.input[4]], [scale]),
            helper.make_node("DequantizeLinear", [node.input[8], scale], [bias], axis=0),
        ]
    return nodes
