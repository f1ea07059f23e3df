# SPDX-License-Identifier: Apache-2.0
"""Rules that fold Dequantize and Quantize into convolutions, dense layers and matrix products.

The bias becomes 32-bit integers at the scale of the accumulator, input scale times weight scale; given so already, it
is kept. A channel whose bias would not fit (its weights are next to nothing) gets a coarser weight scale, which its
accumulator can hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stowage.ir.graph import Array, Node, Value
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d
from stowage.ir.tensor_type import Quant
from stowage.passes.editor import GraphEditor
from stowage.passes.frozen import Frozen, Reals, frozen
from stowage.passes.quantised_operand import quantised_alone, stored_integers

_LARGEST_BIAS = 2**30
_SAME_SCALE = 1e-6


@dataclass(frozen=True, slots=True)
class _Integers:
    """Weights as they are stored with a scale for each output channel, and the bias at the accumulator's scales."""

    weights: Array
    scales: Reals
    bias: Reals


def fold_layer(editor: GraphEditor, node: Node) -> bool:
    """Quantize(layer(Dequantize(x), known weights, known bias)) -> layer on integers."""
    layer = quantised_alone(editor, node)
    if layer is None or not isinstance(layer.op, Conv2d | DepthwiseConv2d | FullyConnected):
        return False
    data = stored_integers(editor, layer.inputs[0])
    known = frozen(editor, layer.inputs[1])
    if data is None or known is None or known.dequantize is None or not _has_channel_scales(layer, known):
        return False
    inputs = _integer_operands(editor, layer, data, known)
    if inputs is None:
        return False
    editor.put(Node(layer.name, layer.op, inputs, node.outputs))
    return True


def fold_matmul(editor: GraphEditor, node: Node) -> bool:
    """Quantize(MatMul(Dequantize(a), Dequantize(b))) -> MatMul on integers."""
    product = quantised_alone(editor, node)
    if product is None or not isinstance(product.op, MatMul):
        return False
    stored = [stored_integers(editor, value) for value in product.inputs]
    inputs = tuple(value for value in stored if value is not None)
    if len(inputs) < 2:
        return False
    editor.put(Node(product.name, product.op, inputs, node.outputs))
    return True


def _channel_axis(layer: Node) -> int:
    return 2 if isinstance(layer.op, DepthwiseConv2d) else 0


def _has_channel_scales(layer: Node, known: Frozen) -> bool:
    quant = known.stored.type.quant
    return quant is not None and quant.axis in (None, _channel_axis(layer)) and known.array.dtype.itemsize == 1


def _integer_operands(editor: GraphEditor, layer: Node, data: Value, known: Frozen) -> tuple[Value, ...] | None:
    quant, channels = known.stored.type.quant, layer.output.type.shape[-1]
    assert quant is not None and data.type.quant is not None
    scales = np.broadcast_to(np.array(quant.scales), (channels,))
    if len(layer.inputs) < 3:
        return data, known.stored
    bias = frozen(editor, layer.inputs[2])
    if bias is None:
        return None
    integers = _kept_bias(bias, data.type.quant.scale * scales)
    fitted = _fitted(layer, known, scales, bias.reals, data.type.quant.scale) if integers is None else None
    weights, bias_name = known.stored, bias.stored.name
    if fitted is not None:
        integers, scales = fitted.bias, fitted.scales
        if fitted.weights is not known.array:
            points = tuple(int(p) for p in np.broadcast_to(np.array(quant.zero_points), (channels,)))
            coarser = Quant(tuple(float(s) for s in scales), points, _channel_axis(layer))
            weights = editor.add_constant(known.stored.name, fitted.weights, coarser)
    assert integers is not None
    products = Quant(tuple(float(s) for s in data.type.quant.scale * scales), (0,) * channels, 0)
    return data, weights, editor.add_constant(bias_name, integers.astype(np.int32), products)


def _kept_bias(bias: Frozen, accumulator_scales: Reals) -> Array | None:
    """The bias as it is stored, if it is 32-bit integers at the scales of the accumulator."""
    quant = bias.stored.type.quant
    if bias.dequantize is None or quant is None or bias.array.dtype != np.int32 or any(quant.zero_points):
        return None
    same = np.allclose(quant.scales, accumulator_scales, rtol=_SAME_SCALE, atol=0)
    return bias.array if same and np.abs(bias.array.astype(np.int64)).max(initial=0) <= _LARGEST_BIAS else None


def _fitted(layer: Node, known: Frozen, scales: Reals, bias: Reals, input_scale: float) -> _Integers:
    """Bias integers at the accumulator's scales, these made coarser in the channels whose bias needs it."""
    needed = np.maximum(scales, np.abs(bias) / (_LARGEST_BIAS * input_scale))
    weights = known.array
    if np.any(needed > scales):
        along = [-1 if axis == _channel_axis(layer) else 1 for axis in range(weights.ndim)]
        quant = known.stored.type.quant
        assert quant is not None
        points = np.broadcast_to(np.array(quant.zero_points, np.float64), scales.shape).reshape(along)
        weights = (np.rint((weights.astype(np.float64) - points) * (scales / needed).reshape(along)) + points).astype(
            weights.dtype
        )
    return _Integers(weights, needed, np.rint(bias / (input_scale * needed)))
