# SPDX-License-Identifier: Apache-2.0
"""Layers that came as integers get coarser weights where their bias needs it, as quantise folding gives them.

Not in TFLite's arithmetic, which is kept to the bit.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stowage.ir.graph import Arithmetic, Graph, Node
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d
from stowage.passes.accumulator import Channels, bias_quant, fitted
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.quantise_products import channel_axis
from stowage.passes.rewrite import rewrite


def _fit(editor: GraphEditor, node: Node) -> bool:
    if not isinstance(node.op, Conv2d | ConvTranspose2d | DepthwiseConv2d | FullyConnected) or len(node.inputs) < 3:
        return False
    data, weights, bias = node.inputs
    integers, steps = editor.constant(weights), editor.constant(bias)
    if data.type.quant is None or weights.type.quant is None or integers is None or steps is None:
        return False
    given = Channels(integers, weights.type.quant, channel_axis(node), steps.astype(np.float64))
    fit = fitted(given)
    if fit is given:
        return False
    quant = bias_quant(data.type.quant.scale, fit.quant, fit.bias.size)
    stored = editor.add_constant(weights.name, fit.weights, fit.quant)
    addend = editor.add_constant(bias.name, np.rint(fit.bias).astype(np.int32), quant)
    editor.put(replace(node, inputs=(data, stored, addend)))
    return True


def _fit_all(graph: Graph) -> Graph:
    return rewrite(graph, _fit) if graph.arithmetic is Arithmetic.ONNX else graph


FIT_ACCUMULATORS = Pass("fit_accumulators", _fit_all)
