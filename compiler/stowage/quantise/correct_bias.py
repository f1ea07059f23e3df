# SPDX-License-Identifier: Apache-2.0
"""Bias correction: what rounding its weights shifts the outputs of a layer by on average, its bias takes back.

The shift of an output channel is the rounding error of its weights times the mean of the input channels that they
meet (Nagel et al., Data-Free Quantization, 2019, with means that were seen). Padding is left out of account.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Graph, Node
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import Conv2d
from stowage.passes.editor import GraphEditor
from stowage.passes.frozen import dequantised
from stowage.quantise.integer_nodes import LAYERS
from stowage.quantise.observe import Observation
from stowage.quantise.weights import integer_weights

Floats = NDArray[np.float64]


def with_corrected_biases(graph: Graph, integers: Collection[str], seen: Mapping[str, Observation]) -> Graph:
    """The float graph with the biases of its integer layers corrected."""
    editor = GraphEditor(graph)
    for node in graph.nodes:
        if node.output.name in integers and isinstance(node.op, LAYERS):
            _correct(editor, node, seen[node.inputs[0].name].means)
    return editor.finish()


def _correct(editor: GraphEditor, node: Node, means: Floats) -> None:
    data, weights = node.inputs[:2]
    array = editor.constant(weights)
    assert array is not None
    errors = dequantised(*integer_weights(array)) - array.astype(np.float64)
    shift = _shift(node, errors, means)
    given = editor.constant(node.inputs[2]) if len(node.inputs) > 2 else np.zeros(len(shift))
    assert given is not None
    name = node.inputs[2].name if len(node.inputs) > 2 else f"{node.output.name}.bias"
    bias = editor.add_constant(name, (given.astype(np.float64) - shift).astype(array.dtype))
    editor.put(replace(node, inputs=(data, weights, bias)))


def _shift(node: Node, errors: Floats, means: Floats) -> Floats:
    """By output channel the mean of what errors of the weights add to it.

    The taps of a transposed convolution are shared out among as many pixels as its strides make of one.
    """
    if not isinstance(node.op, Conv2d | ConvTranspose2d):
        return np.asarray(errors @ means)
    outputs, taken = errors.shape[0], errors.shape[3]
    groups = np.arange(outputs) // (outputs // node.op.groups)
    met = means[groups[:, None] * taken + np.arange(taken)]
    sharing = math.prod(node.op.strides) if isinstance(node.op, ConvTranspose2d) else 1
    return np.asarray((errors.sum(axis=(1, 2)) * met).sum(axis=1) / sharing)
