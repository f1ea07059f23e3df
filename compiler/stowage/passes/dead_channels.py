# SPDX-License-Identifier: Apache-2.0
"""Filters that are all zero go, and with them whatever only they feed and whatever nobody reads.

Such a filter makes a channel that is one number everywhere. What that becomes in the layers after it goes into their
biases, to the bit; where a border makes it another number than elsewhere, or floats would be added in another order,
the channel stays. Channels whose readers all have zero weights for them go too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from stowage.ir.graph import Array, Graph, Node, Value
from stowage.ir.ops.movement import Concat, Constant
from stowage.passes.accumulator import bias_quant
from stowage.passes.channel_demand import demanded_channels
from stowage.passes.channel_links import Flags, Link, Mixing, Parallel, link_of
from stowage.passes.channel_mixing import MixingLayer, mixing_layer
from stowage.passes.editor import GraphEditor
from stowage.passes.fixed_channels import fixed_channels
from stowage.passes.graph_pass import Pass
from stowage.passes.narrowing import narrowed_op, taken, taken_quant, taken_type


def _drop(graph: Graph) -> Graph:
    arrays = {n.output.name: graph.constants[n.op.digest] for n in graph.nodes if isinstance(n.op, Constant)}
    links = {node.outputs[0].name: link_of(node, arrays.__contains__) for node in graph.nodes}
    fixed = fixed_channels(graph, links, arrays)
    layers = {
        node.output.name: mixing_layer(
            node,
            arrays[node.inputs[1].name],
            arrays[node.inputs[2].name] if len(node.inputs) > 2 else None,
            fixed[node.inputs[0].name],
        )
        for node in graph.nodes
        if isinstance(links[node.outputs[0].name], Mixing)
    }
    kept = demanded_channels(graph, links, layers)
    if all(flags.all() for flags in kept.values()):
        return graph
    narrowing = _Narrowing(GraphEditor(graph), links, arrays, layers, kept)
    for node in graph.nodes:
        narrowing.narrow(node.outputs[0].name)
    return narrowing.editor.finish()


@dataclass(frozen=True, slots=True)
class _Narrowing:
    """The rewriting, node by node in the graph's order, so that operands are narrow already."""

    editor: GraphEditor
    links: Mapping[str, Link]
    arrays: Mapping[str, Array]
    layers: Mapping[str, MixingLayer]
    kept: Mapping[str, Flags]

    def narrow(self, key: str) -> None:
        """Leaves a node the channels that are kept of its operands and output."""
        node, link = self.editor.node(key), self.links[key]
        if node is None or link is None:
            return
        touched = [value.name for value in (*node.inputs, *node.outputs) if value.name in self.kept]
        if all(self.kept[name].all() for name in touched):
            return
        self.editor.put(self._mixing(node) if isinstance(link, Mixing) else self._parallel(node, link))

    def _output(self, node: Node) -> tuple[Value]:
        kept, type_ = np.flatnonzero(self.kept[node.output.name]), node.output.type
        return (Value(node.output.name, taken_type(type_, kept, len(type_.shape) - 1)),)

    def _mixing(self, node: Node) -> Node:
        data, weights, *bias = node.inputs
        rows, columns = (np.flatnonzero(self.kept[value.name]) for value in (node.output, data))
        narrow = taken(taken(self.arrays[weights.name], rows, 0), columns, len(weights.type.shape) - 1)
        stored = self.editor.add_constant(weights.name, narrow, taken_quant(weights.type.quant, rows, 0))
        layer = self.layers[node.output.name]
        biases = layer.bias_without(~self.kept[data.name])
        if bias or biases.any():
            bias = [self._bias(node, biases, rows)]
        return replace(node, inputs=(data, stored, *bias), outputs=self._output(node))

    def _bias(self, node: Node, biases: Array, rows: np.ndarray) -> Value:
        data, weights, *bias = node.inputs
        quant = bias[0].type.quant if bias else None
        if not bias and data.type.quant is not None and weights.type.quant is not None:
            quant = bias_quant(data.type.quant.scale, weights.type.quant, biases.size)
        name = bias[0].name if bias else f"{node.output.name}.bias"
        return self.editor.add_constant(name, taken(biases, rows, 0), taken_quant(quant, rows, 0))

    def _parallel(self, node: Node, link: Parallel) -> Node:
        left = np.flatnonzero(self.kept[node.output.name])
        inputs = []
        for value, source in zip(node.inputs, link.sources, strict=True):
            if source is None or value.name not in self.arrays:
                inputs.append(value)
                continue
            channels = source[left][source[left] >= 0]
            inputs.append(self._constant(value, channels))
        if isinstance(node.op, Concat):
            inputs = [value for value in inputs if value.type.elements]
        first = self.kept.get(node.inputs[0].name, np.ones(1, np.bool_))
        op = narrowed_op(node.op, first, left.size)
        return replace(node, op=op, inputs=tuple(inputs), outputs=self._output(node))

    def _constant(self, value: Value, channels: np.ndarray) -> Value:
        last = len(value.type.shape) - 1
        narrow = taken(self.arrays[value.name], channels, last)
        return self.editor.add_constant(value.name, narrow, taken_quant(value.type.quant, channels, last))


DROP_DEAD_CHANNELS = Pass("drop_dead_channels", _drop)
