# SPDX-License-Identifier: Apache-2.0
"""Batch normalisation folded into the convolution before it, as a model is prepared for the quantiser.

ONNX Runtime's own preparation would also write hard swish as two nodes without names and fuse the padding; the int8
model is to keep both, as models from other exporters do.
"""

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

Floats = npt.NDArray[np.float32]

# ONNX's default for BatchNormalization, which the network uses.
EPSILON = 1e-5


def _folded(weight: Floats, bias: Floats, norm: list[Floats]) -> tuple[Floats, Floats]:
    """The weight `[o, c / group, h, w]` and bias `[o]` that give what convolution and normalisation give together."""
    scale, shift, mean, variance = (part.astype(np.float64) for part in norm)
    gain = scale / np.sqrt(variance + EPSILON)
    return (weight * gain[:, None, None, None]).astype(np.float32), ((bias - mean) * gain + shift).astype(np.float32)


def fold_batch_norms(model: onnx.ModelProto) -> onnx.ModelProto:
    """`model` with each BatchNormalization gone into the Conv that feeds it; constants keep the Conv's names."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    convolutions = {node.output[0]: node for node in graph.node if node.op_type == "Conv"}
    for norm in [node for node in graph.node if node.op_type == "BatchNormalization"]:
        convolution = convolutions[norm.input[0]]
        weight, bias = (constants[name] for name in convolution.input[1:])
        parts = [numpy_helper.to_array(constants[name]) for name in norm.input[1:]]
        folded = _folded(numpy_helper.to_array(weight), numpy_helper.to_array(bias), parts)
        for tensor, value in zip((weight, bias), folded, strict=True):
            tensor.CopyFrom(numpy_helper.from_array(value, tensor.name))
        convolution.output[:] = norm.output
        graph.node.remove(norm)
        for name in norm.input[1:]:
            graph.initializer.remove(constants[name])
    onnx.checker.check_model(result, full_check=True)
    return result
