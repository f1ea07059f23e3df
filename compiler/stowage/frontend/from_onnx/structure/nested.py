# SPDX-License-Identifier: Apache-2.0
"""Graphs inside of a node: checked once, put in the node's place as often as the node runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import onnx
from onnx import AttributeProto, GraphProto, NodeProto, ValueInfoProto

from stowage.frontend.from_onnx.graph_order import ordered_body
from stowage.frontend.from_onnx.inlining import renamed
from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.schema import check_schema
from stowage.frontend.from_onnx.tensor_data import array_of
from stowage.ir.graph import Array


class Translate(Protocol):
    """Translates nodes that stand in place of the node at hand."""

    def __call__(self, node: NodeProto, opset: int) -> None:
        """Adds what the node does, under the rules of a version of ONNX's operator set."""

    def begin(self, site: NodeSite) -> None:
        """Counts that a body begins; refuses a node whose bodies come to too much."""


Structure = Callable[[NodeSite, Translate], None]
"""Translates a node that runs graphs, or that puts names to what others have made, and binds its outputs."""

Structures = Mapping[str, Structure]

PARTS_OPSET = 11
"""Of the nodes that structures are made of: here axes are still attributes, and may be negative."""


class Body:
    """A graph inside of a node of the file.

    Attributes:
        inputs: what it is given, in order.
        outputs: what it hands back, in order.
    """

    def __init__(self, site: NodeSite, attribute: str, translate: Translate) -> None:
        """Checks the graph in an attribute.

        Raises:
            InvalidModel: it is not there, or no graph.
        """
        graph = _graph_of(site, attribute)
        self.inputs: tuple[ValueInfoProto, ...] = tuple(graph.input)
        self.outputs: tuple[ValueInfoProto, ...] = tuple(graph.output)
        self._site, self._translate, self._name = site, translate, graph.name or attribute
        self._nodes = ordered_body(graph)
        if not site.caller:
            check_schema(self._nodes, site.opset, onnx.IR_VERSION)
        self._constants = {
            tensor.name: known(site, tensor.name, array_of(tensor, f"initialiser {tensor.name!r}"))
            for tensor in graph.initializer
        }

    def place(self, operands: Sequence[str]) -> list[str]:
        """Puts the graph's nodes here, once; returns what its outputs are called.

        Args:
            operands: the tensors that it is given, one for each of its inputs.
        """
        self._translate.begin(self._site)
        formal = dict(zip((info.name for info in self.inputs), operands, strict=True))
        names = {**self._constants, **formal}
        for node in renamed(self._nodes, names, self._site.reserve):
            self._translate(node, self._site.opset)
        return [names.get(info.name, info.name) for info in self.outputs]


def _graph_of(site: NodeSite, name: str) -> GraphProto:
    attribute = site.attribute(name)
    if attribute is None or attribute.type != AttributeProto.GRAPH:
        raise site.invalid(f"it has no graph {name}")
    if attribute.g.sparse_initializer:
        raise site.unsupported(f"its graph {name} has a sparse initialiser", "store weights densely")
    return attribute.g


def known(site: NodeSite, name: str, array: Array) -> str:
    """Gives an array a name, like the given one, by which nodes can read it."""
    fresh = site.reserve(name)
    site.tensors.bind_known(fresh, array, site.where)
    return fresh


def bind_outputs(site: NodeSite, results: Sequence[str]) -> None:
    """Says that the node's outputs are what tensors made in its place are.

    Raises:
        InvalidModel: there are more outputs than results.
    """
    if any(site.makes(index) for index in range(len(results), len(site.proto.output))):
        raise site.invalid(f"it has {len(site.proto.output)} outputs, but only {len(results)} are made")
    for name, result in zip(site.proto.output, results, strict=False):
        if name:
            site.tensors.alias(name, result, site.where)
