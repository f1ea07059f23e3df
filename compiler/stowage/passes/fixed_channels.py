# SPDX-License-Identifier: Apache-2.0
"""Forward through a graph: the channels that are one number everywhere, whatever the model is given.

They begin at filters that are all zero. A node whose operands are known in a channel is computed by the reference on
tensors that have the known numbers, so that borders, rounding and saturation are those of the operator. Of floats only
zeros are kept: kernels compute other numbers to within their rounding. (That a zero weight makes a zero takes finite
inputs.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stowage.ir.graph import Array, Graph, Node, Value
from stowage.ir.ops.combination import NumberCombination
from stowage.ir.ops.elementwise import Clip, Div, LeakyRelu, Mul, Relu
from stowage.ir.ops.function import NumberFunction
from stowage.ir.ops.window import DepthwiseConv2d
from stowage.ir.tensor_type import TensorType
from stowage.passes.channel_links import ABSENT, Flags, Indices, Link, Mixing, channels_of
from stowage.passes.channel_mixing import Fixed, centred
from stowage.passes.evaluate import evaluate
from stowage.passes.narrowing import taken, taken_type

_EXACT_IN_FLOATS = (Clip, LeakyRelu, Relu)
"""Functions of which kernels are known to make the reference's zeros."""


def fixed_channels(graph: Graph, links: Mapping[str, Link], arrays: Mapping[str, Array]) -> dict[str, Fixed]:
    """What is known of every tensor of a graph that is no constant, by name.

    Args:
        graph: the graph.
        links: of its nodes, by the name of their first output.
        arrays: constants by the name of their value.
    """
    search = _Search(graph, links, arrays, {})
    search.found.update((value.name, _nothing_fixed(value.type)) for value in graph.inputs)
    for node in graph.nodes:
        search.found.update((value.name, _nothing_fixed(value.type)) for value in node.outputs)
        candidates = search.candidates(node)
        if candidates.any():
            search.found[node.output.name] = search.computed(node, candidates)
    return search.found


@dataclass(frozen=True, slots=True)
class _Search:
    """A walk over a graph: `found` has what is known so far."""

    graph: Graph
    links: Mapping[str, Link]
    arrays: Mapping[str, Array]
    found: dict[str, Fixed]

    def candidates(self, node: Node) -> Flags:
        """Output channels of which all that they are made of is known."""
        link = self.links[node.outputs[0].name]
        if isinstance(link, Mixing):
            unknown = ~self.found[node.inputs[0].name].known
            matters = (centred(node, self.arrays[node.inputs[1].name]) != 0).any(axis=1)
            rows: Flags = ~matters[:, unknown].any(axis=1)
            return rows
        none: Flags = np.zeros(channels_of(node.outputs[0].type), np.bool_)
        if link is None or not node.inputs or not _is_exact(node):
            return none
        pairs = list(zip(node.inputs, link.sources, strict=True))
        known: Flags = np.logical_and.reduce([none | self._known(*pair) for pair in pairs])
        if isinstance(node.op, DepthwiseConv2d):
            known |= (centred(node, self.arrays[node.inputs[1].name]) == 0).all(axis=(0, 1))
        if isinstance(node.op, Mul):
            known |= np.logical_or.reduce([none | self._zero(*pair) for pair in pairs])
        return known

    def computed(self, node: Node, candidates: Flags) -> Fixed:
        """What the reference makes of the candidates; what is not known counts as zero."""
        rows = np.arange(candidates.size)
        operands, result = [self._filled(value) for value in node.inputs], node.output.type
        if isinstance(self.links[node.output.name], Mixing):
            rows = np.flatnonzero(candidates)
            operands[1:] = [(taken_type(type_, rows, 0), taken(array, rows, 0)) for type_, array in operands[1:]]
            result = taken_type(result, rows, len(result.shape) - 1)
        fixed = _nothing_fixed(node.output.type)
        try:
            pixels = evaluate(node.op, operands, result, self.graph.arithmetic).reshape(-1, rows.size)
        except (OverflowError, ValueError):
            return fixed  # kernels cannot compute that either: the node is refused later, with the reason
        same = (pixels == pixels[0]).all(axis=0) & candidates[rows]
        fixed.known[rows] = same & (pixels[0] == 0) if result.dtype.is_float else same
        fixed.elements[rows] = pixels[0]
        return fixed

    def _known(self, value: Value, source: Indices | None) -> Flags | bool:
        if value.name in self.arrays:
            return True
        flags: Flags | bool = False
        if source is not None:
            flags = (source == ABSENT) | self.found[value.name].known[source]
        return flags

    def _zero(self, value: Value, source: Indices | None) -> Flags | bool:
        """Channels of an operand that are known to stand for 0."""
        if value.name in self.arrays or source is None:
            return False
        fixed = self.found[value.name]
        flags: Flags = (fixed.known & (fixed.elements == _zero_of(value.type)))[source]
        return flags

    def _filled(self, value: Value) -> tuple[TensorType, Array]:
        if value.name in self.arrays:
            return value.type, self.arrays[value.name]
        fixed = self.found[value.name]
        elements = np.where(fixed.known, fixed.elements, _zero_of(value.type)).astype(value.type.dtype.numpy)
        pixels = value.type.elements // max(1, elements.size)
        return value.type, np.tile(elements, pixels).reshape(value.type.shape)


def _is_exact(node: Node) -> bool:
    """Whether a kernel is known to make zeros where the reference does."""
    if not node.outputs[0].type.dtype.is_float or isinstance(node.op, _EXACT_IN_FLOATS):
        return True
    return not isinstance(node.op, NumberFunction | NumberCombination | Div)


def _nothing_fixed(type_: TensorType) -> Fixed:
    channels = channels_of(type_)
    return Fixed(np.zeros(channels, np.bool_), np.full(channels, _zero_of(type_), type_.dtype.numpy))


def _zero_of(type_: TensorType) -> int:
    return 0 if type_.quant is None or type_.quant.axis is not None else type_.quant.zero_point
