# SPDX-License-Identifier: Apache-2.0
"""Rules that fold Dequantize and Quantize into convolutions, dense layers and matrix products.

The bias becomes 32-bit integers at the scale of the accumulator, input scale times weight scale; given so already, it
is kept. A channel whose bias would not fit (its weights are next to nothing) gets a coarser weight scale, which its
accumulator can hold.
"""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Node, Value
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d
from stowage.ir.tensor_type import Quant
from stowage.passes.accumulator import Channels, bias_quant, fitted
from stowage.passes.editor import GraphEditor
from stowage.passes.frozen import Frozen, Reals, frozen
from stowage.passes.quantised_operand import quantised_alone, stored_integers

_SAME_SCALE = 1e-6


def fold_layer(editor: GraphEditor, node: Node) -> bool:
    """Quantize(layer(Dequantize(x), known weights, known bias)) -> layer on integers."""
    layer = quantised_alone(editor, node)
    if layer is None or not isinstance(layer.op, Conv2d | ConvTranspose2d | DepthwiseConv2d | FullyConnected):
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


def channel_axis(layer: Node) -> int:
    """The axis of a layer's weights that counts output channels."""
    return 2 if isinstance(layer.op, DepthwiseConv2d) else 0


def _has_channel_scales(layer: Node, known: Frozen) -> bool:
    quant = known.stored.type.quant
    return quant is not None and quant.axis in (None, channel_axis(layer)) and known.array.dtype.itemsize == 1


def _integer_operands(editor: GraphEditor, layer: Node, data: Value, known: Frozen) -> tuple[Value, ...] | None:
    quant, channels = known.stored.type.quant, layer.output.type.shape[-1]
    assert quant is not None and data.type.quant is not None
    if len(layer.inputs) < 3:
        return data, known.stored
    bias = frozen(editor, layer.inputs[2])
    if bias is None:
        return None
    steps = _in_steps(bias, bias_quant(data.type.quant.scale, quant, channels))
    if not np.isfinite(steps).all():
        return None  # no integers come near it
    given = Channels(known.array, quant, channel_axis(layer), steps)
    fit = fitted(given)
    weights = known.stored if fit is given else editor.add_constant(known.stored.name, fit.weights, fit.quant)
    stored_quant = bias_quant(data.type.quant.scale, fit.quant, channels)
    stored = editor.add_constant(bias.stored.name, np.rint(fit.bias).astype(np.int32), stored_quant)
    return data, weights, stored


def _in_steps(bias: Frozen, wanted: Quant) -> Reals:
    """The bias in steps of the accumulator: as it is stored, where it is stored so."""
    quant, scales = bias.stored.type.quant, np.array(wanted.scales, np.float64)
    if bias.dequantize is None or quant is None or any(quant.zero_points):
        return np.divide(bias.reals, scales, dtype=np.float64)
    same = np.allclose(quant.scales, scales, rtol=_SAME_SCALE, atol=0)
    steps: Reals = bias.array.astype(np.float64) if same else bias.reals / scales
    return steps
