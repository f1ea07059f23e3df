# SPDX-License-Identifier: Apache-2.0
"""The trained network as a float32 ONNX model: `image[1, 1, 8, 8]` in, `probabilities[1, 10]` out."""

from collections.abc import Mapping

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from examples.digits.layers import Array
from examples.digits.network import CLASSES, IMAGE_SHAPE

OPSET = 17
# The oldest IR that holds opset 17: readers older than the exporter's onnx package can open it too.
IR_VERSION = 8


def _convolution(name: str, source: str, kernel: int, groups: int = 1) -> onnx.NodeProto:
    margin = kernel // 2
    return helper.make_node(
        "Conv",
        [source, f"{name}_weight", f"{name}_bias"],
        [f"{name}_conv"],
        name=f"{name}_conv",
        kernel_shape=[kernel, kernel],
        pads=[margin] * 4,
        strides=[1, 1],
        group=groups,
    )


def _rectified(name: str) -> onnx.NodeProto:
    return helper.make_node("Relu", [f"{name}_conv"], [f"{name}_relu"], name=f"{name}_relu")


def _pooled(name: str) -> onnx.NodeProto:
    return helper.make_node(
        "MaxPool", [f"{name}_relu"], [f"{name}_pool"], name=f"{name}_pool", kernel_shape=[2, 2], strides=[2, 2]
    )


def _nodes(depthwise_groups: int) -> list[onnx.NodeProto]:
    return [
        _convolution("stem", "image", kernel=3),
        _rectified("stem"),
        _pooled("stem"),
        _convolution("body", "stem_pool", kernel=3),
        _rectified("body"),
        _convolution("depthwise", "body_relu", kernel=3, groups=depthwise_groups),
        _rectified("depthwise"),
        _convolution("pointwise", "depthwise_relu", kernel=1),
        _rectified("pointwise"),
        _pooled("pointwise"),
        helper.make_node("Flatten", ["pointwise_pool"], ["features"], name="flatten", axis=1),
        helper.make_node("Gemm", ["features", "head_weight", "head_bias"], ["logits"], name="head", transB=1),
        helper.make_node("Softmax", ["logits"], ["probabilities"], name="softmax", axis=1),
    ]


def export(parameters: Mapping[str, Array]) -> onnx.ModelProto:
    """The ONNX model of the network with these parameters, checked."""
    initialisers = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in parameters.items()]
    graph = helper.make_graph(
        _nodes(depthwise_groups=len(parameters["depthwise_bias"])),
        "digits",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, *IMAGE_SHAPE])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, CLASSES])],
        initialisers,
    )
    model = helper.make_model(
        graph, producer_name="digits", opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
    )
    onnx.checker.check_model(model, full_check=True)
    return model
