# SPDX-License-Identifier: Apache-2.0
"""The branching network as a float32 ONNX graph: a stem, a depthwise block with attention and a residual, a pyramid.

    image 3x24x24 → pad → conv 3x3/2 → batch norm → hard swish ────────────────┐            16x12x12
      → depthwise 3x3 → batch norm → clip → attention → conv 1x1 → batch norm → + → leaky relu = trunk
    trunk → average pool → conv 1x1 ───────┐                                                 8x6x6
    trunk → max pool → conv 3x3, 4 groups ─┤                                                 8x6x6
    trunk → conv 3x3/2, dilated ───────────┴ concat → conv 1x1 → resize to twice the size ─┐ 8x12x12
    trunk ─────────────────────────────────────────────────────────────── concat ──────────┘ 24x12x12
      → conv 3x3/2 → relu → conv 1x1 → transpose → reshape = boxes 108x4

Paddings are asymmetric wherever the operator allows it, as TensorFlow's "same" padding with stride 2 makes them.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
# The oldest IR that holds opset 17: readers older than the exporter's onnx package can open it too.
IR_VERSION = 8
IMAGE_SHAPE = (3, 24, 24)
BOXES_SHAPE = (108, 4)
WEIGHT_SEED = 22


@dataclass(slots=True)
class _Sketch:
    """A graph under construction: nodes in order, constants, and the source of the random weights."""

    draw: np.random.Generator
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def node(self, op: str, inputs: list[str], name: str, **attributes: Any) -> str:
        """Appends a node with one output of the node's own name, and returns that name."""
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: npt.NDArray[Any]) -> str:
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def conv(self, source: str, name: str, shape: tuple[int, int, int, int], **attributes: Any) -> str:
        """A convolution with He-normal weights of `shape[o, c / group, h, w]` and small biases."""
        deviation = np.sqrt(2 / np.prod(shape[1:]))
        weight = (deviation * self.draw.standard_normal(shape)).astype(np.float32)
        bias = self.draw.uniform(-0.2, 0.2, shape[0]).astype(np.float32)
        inputs = [source, self.constant(f"{name}_weight", weight), self.constant(f"{name}_bias", bias)]
        return self.node("Conv", inputs, name, kernel_shape=list(shape[2:]), **attributes)

    def batch_norm(self, source: str, name: str, channels: int) -> str:
        ranges = {"scale": (0.7, 1.3), "shift": (-0.3, 0.3), "mean": (-0.3, 0.3), "variance": (0.05, 0.2)}
        drawn = [
            self.constant(f"{name}_{part}", self.draw.uniform(low, high, channels).astype(np.float32))
            for part, (low, high) in ranges.items()
        ]
        return self.node("BatchNormalization", [source, *drawn], name)


def _stem(sketch: _Sketch) -> str:
    pads = sketch.constant("pads", np.array([0, 0, 0, 0, 0, 0, 1, 1], np.int64))
    padded = sketch.node("Pad", ["image", pads], "pad", mode="constant")
    conv = sketch.conv(padded, "stem_conv", (16, 3, 3, 3), strides=[2, 2])
    return sketch.node("HardSwish", [sketch.batch_norm(conv, "stem_norm", 16)], "stem")


def _attention(sketch: _Sketch, source: str) -> str:
    """Weights each channel by what its mean says (squeeze and excitation, Hu et al., arXiv:1709.01507)."""
    mean = sketch.node("GlobalAveragePool", [source], "attention_mean")
    squeezed = sketch.node("Relu", [sketch.conv(mean, "attention_squeeze", (4, 16, 1, 1))], "attention_relu")
    excited = sketch.conv(squeezed, "attention_excite", (16, 4, 1, 1))
    gate = sketch.node("HardSigmoid", [excited], "attention_gate", alpha=1 / 6, beta=0.5)
    return sketch.node("Mul", [source, gate], "attention")


def _depthwise_block(sketch: _Sketch, source: str) -> str:
    conv = sketch.conv(source, "depthwise_conv", (16, 1, 3, 3), group=16, pads=[0, 1, 2, 1])
    low, high = (
        sketch.constant(f"clip_{end}", np.array(limit, np.float32)) for end, limit in (("low", 0), ("high", 6))
    )
    clipped = sketch.node("Clip", [sketch.batch_norm(conv, "depthwise_norm", 16), low, high], "depthwise")
    projected = sketch.conv(_attention(sketch, clipped), "project_conv", (16, 16, 1, 1))
    added = sketch.node("Add", [sketch.batch_norm(projected, "project_norm", 16), source], "residual")
    return sketch.node("LeakyRelu", [added], "trunk", alpha=0.1)


def _pyramid(sketch: _Sketch, trunk: str) -> str:
    window = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [0, 0, 1, 1]}
    # Sums of nine, padding counted: an even divisor would put many int8 means on a tie, where float32 rounds by luck.
    averaged = sketch.node("AveragePool", [trunk], "average_pool", count_include_pad=1, **window)
    largest = sketch.node("MaxPool", [trunk], "max_pool", **window)
    branches = [
        sketch.conv(averaged, "average_conv", (8, 16, 1, 1)),
        sketch.conv(largest, "grouped_conv", (8, 4, 3, 3), group=4, pads=[1, 1, 1, 1]),
        sketch.conv(trunk, "dilated_conv", (8, 16, 3, 3), dilations=[2, 2], strides=[2, 2], pads=[1, 2, 3, 2]),
    ]
    joined = sketch.conv(sketch.node("Concat", branches, "branches", axis=1), "lateral_conv", (8, 24, 1, 1))
    scales = sketch.constant("twice", np.array([1, 1, 2, 2], np.float32))
    doubled = sketch.node(
        "Resize",
        [joined, "", scales],
        "doubled",
        mode="nearest",
        nearest_mode="floor",
        coordinate_transformation_mode="asymmetric",
    )
    return sketch.node("Concat", [doubled, trunk], "pyramid", axis=1)


def _head(sketch: _Sketch, pyramid: str) -> str:
    conv = sketch.conv(pyramid, "head_conv", (12, 24, 3, 3), strides=[2, 2], pads=[0, 0, 1, 1])
    boxes = sketch.conv(sketch.node("Relu", [conv], "head_relu"), "boxes_conv", (12, 12, 1, 1))
    last_channel = sketch.node("Transpose", [boxes], "boxes_nhwc", perm=[0, 2, 3, 1])
    shape = sketch.constant("boxes_shape", np.array([1, *BOXES_SHAPE], np.int64))
    return sketch.node("Reshape", [last_channel, shape], "boxes")


def build() -> onnx.ModelProto:
    """The model, `image[1, 3, 24, 24]` to `boxes[1, 108, 4]`, the same bytes each time; checked."""
    sketch = _Sketch(np.random.Generator(np.random.PCG64(WEIGHT_SEED)))
    boxes = _head(sketch, _pyramid(sketch, _depthwise_block(sketch, _stem(sketch))))
    graph = helper.make_graph(
        sketch.nodes,
        "branches",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, *IMAGE_SHAPE])],
        [helper.make_tensor_value_info(boxes, TensorProto.FLOAT, [1, *BOXES_SHAPE])],
        sketch.constants,
    )
    model = helper.make_model(
        graph, producer_name="branches", opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
    )
    onnx.checker.check_model(model, full_check=True)
    return model
