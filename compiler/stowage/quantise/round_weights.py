# SPDX-License-Identifier: Apache-2.0
"""Weights rounded with a view to each other: what one is rounded off by, the next ones make good, as far as the inputs
that they meet go together (Frantar et al., GPTQ, 2022).

The result is a float graph whose weights lie on the grid of integers, with the scales that they have anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array, Graph, Node
from stowage.ir.ops.window import Conv2d
from stowage.ir.ops.window_shape import window_axes
from stowage.ir.reference import run
from stowage.ir.reference.windows import taps
from stowage.passes.editor import GraphEditor
from stowage.quantise.calibration import Samples
from stowage.quantise.integer_nodes import LAYERS
from stowage.quantise.weights import integer_weights

Floats = NDArray[np.float64]

_MOST_WEIGHTS = 2048
"""Weights an output channel has at most to be rounded so: the work grows with the square."""
_MOST_PLACES = 1024
_DAMPING = 0.01


def with_rounded_weights(graph: Graph, integers: frozenset[str], samples: Samples) -> Graph:
    """The float graph with the weights of its integer layers on their grids."""
    editor = GraphEditor(graph)
    layers = [node for node in graph.nodes if node.output.name in integers and isinstance(node.op, LAYERS)]
    layers = [node for node in layers if node.inputs[1].type.elements <= _MOST_WEIGHTS * node.inputs[1].type.shape[0]]
    moments = _moments(graph, layers, samples)
    for node in layers:
        weights = editor.constant(node.inputs[1])
        assert weights is not None
        rounded = editor.add_constant(node.inputs[1].name, _rounded(weights, moments[node.output.name]))
        editor.put(replace(node, inputs=(node.inputs[0], rounded, *node.inputs[2:])))
    return editor.finish()


def _moments(graph: Graph, layers: list[Node], samples: Samples) -> dict[str, Floats]:
    """By layer and group the sums of products of any two numbers that one output sees: [groups, weights, weights]."""
    found: dict[str, Floats] = {}
    for inputs in samples:
        values = run(graph, inputs)
        for node in layers:
            seen = _seen(node, values)
            found[node.output.name] = found.get(node.output.name, 0.0) + seen.swapaxes(1, 2) @ seen
    return found


def _seen(node: Node, values: Mapping[str, Array]) -> Floats:
    """What each output sees of the input, at some places: [groups, places, weights of an output]."""
    data = values[node.inputs[0].name].astype(np.float64)
    if not isinstance(node.op, Conv2d):
        return data.reshape(1, -1, data.shape[-1])
    _, height, width, taken = node.inputs[1].type.shape
    axes = window_axes((height, width), node.op.strides, node.op.pads, node.op.dilations)
    under = [part.reshape(-1, node.op.groups, taken) for _, part in taps(data, axes, 0.0)]
    step = -(-len(under[0]) // _MOST_PLACES)
    windows = np.stack([part[::step] for part in under], axis=2)
    return np.asarray(windows.transpose(1, 0, 2, 3).reshape(node.op.groups, -1, height * width * taken))


def _rounded(weights: Array, moments: Floats) -> Array:
    """Weights [O, ...] on their grid; outputs of a group lie next to each other."""
    integers, quant = integer_weights(weights)
    rows = weights.astype(np.float64).reshape(len(moments), -1, moments.shape[1])
    nearest = integers.astype(np.float64).reshape(rows.shape)
    scales = np.array(quant.scales).reshape(*rows.shape[:2])
    groups = [_group(*parts) for parts in zip(rows, nearest, scales, moments, strict=True)]
    return np.stack(groups).reshape(weights.shape).astype(weights.dtype)


def _group(rows: Floats, nearest: Floats, scales: Floats, moments: Floats) -> Floats:
    """The rows [outputs, weights] of a group; the largest weight of a row, which sets its scale, stays where it is."""
    order = np.argsort(-np.diag(moments), kind="stable")
    damped = moments[np.ix_(order, order)] + np.eye(len(order)) * (_DAMPING * np.diag(moments).mean() + 1e-12)
    spread = np.linalg.cholesky(np.linalg.inv(damped)).T
    left, steps = rows[:, order].copy(), np.empty_like(rows)
    largest = np.abs(nearest).max(axis=1)
    for place, (column, fixed) in enumerate(_columns(order, nearest, largest)):
        stepped = np.clip(np.rint(left[:, place] / scales), -largest, largest)
        steps[:, column] = np.where(fixed, nearest[:, column], stepped)
        missed = (left[:, place] - steps[:, column] * scales) / spread[place, place]
        left[:, place + 1 :] -= np.outer(missed, spread[place, place + 1 :])
    return steps * scales[:, None]


def _columns(order: NDArray[np.int64], nearest: Floats, largest: Floats) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    for column in order:
        yield int(column), np.abs(nearest[:, column]) == largest
