# SPDX-License-Identifier: Apache-2.0
"""Integer weights lose their zero points, which kernels do not have: taken off where the difference has 8 bits.

Where it does not, the layer computes in float between a Dequantize and a Quantize: slower and larger, but right. In
TFLite's arithmetic, which is kept to the bit, it has two weights for each input: `halved_weights`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.elementwise import Dequantize, Quantize
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d
from stowage.ir.tensor_type import Quant
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.halved_weights import put_halves
from stowage.passes.rewrite import rewrite

Shifts = NDArray[np.int16]


def _take_off_zero_points(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, Conv2d | ConvTranspose2d | DepthwiseConv2d | FullyConnected):
        return False
    weights, quant = editor.constant(node.inputs[1]), node.inputs[1].type.quant
    if weights is None or quant is None or not any(quant.zero_points):
        return False
    centred = weights.astype(np.int16) - _along(quant, weights.ndim)
    if centred.min(initial=0) < -128 or centred.max(initial=0) > 127:
        if editor.arithmetic is not Arithmetic.TFLITE or not put_halves(editor, node, centred):
            _compute_in_float(editor, node)
        return True
    symmetric = replace(quant, zero_points=(0,) * len(quant.zero_points))
    stored = editor.add_constant(node.inputs[1].name, centred.astype(np.int8), symmetric)
    editor.put(replace(node, inputs=(node.inputs[0], stored, *node.inputs[2:])))
    return True


def _along(quant: Quant, rank: int) -> Shifts:
    points: Shifts = np.array(quant.zero_points, np.int16)
    return points if quant.axis is None else points.reshape([-1 if axis == quant.axis else 1 for axis in range(rank)])


def _compute_in_float(editor: GraphEditor, node: Node) -> None:
    data, weights, *bias = node.inputs
    with_scales = [_at_accumulator_scales(editor, data, weights, value) for value in bias]
    reals = tuple(
        editor.add(f"{node.name}.dequantize", Dequantize(), (value,), f"{value.name}.real")
        for value in (data, weights, *with_scales)
    )
    real = editor.add(node.name, node.op, reals, f"{node.output.name}.real")
    type_ = node.output.type
    assert type_.quant is not None
    editor.put(Node(f"{node.name}.quantize", Quantize(type_.dtype, type_.quant), (real,), node.outputs))


def _at_accumulator_scales(editor: GraphEditor, data: Value, weights: Value, bias: Value) -> Value:
    """The bias with its quantisation said: the product of the input's scale and the weights'."""
    integers, inner, outer = editor.constant(bias), data.type.quant, weights.type.quant
    if bias.type.quant is not None or integers is None or inner is None or outer is None:
        return bias
    scales = np.broadcast_to(inner.scale * np.array(outer.scales), integers.shape)
    quant = Quant(tuple(float(scale) for scale in scales), (0,) * scales.size, 0)
    return editor.add_constant(bias.name, integers, quant)


SYMMETRIC_WEIGHTS = Pass("symmetric_weights", lambda graph: rewrite(graph, _take_off_zero_points))
