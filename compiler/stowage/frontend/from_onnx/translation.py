# SPDX-License-Identifier: Apache-2.0
"""One node of the file becomes nodes of the graph, or a tensor that is known from here on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from onnx import FunctionProto, NodeProto

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.function_bodies import attributes_of, body_of, has_body
from stowage.frontend.from_onnx.graph_order import describe
from stowage.frontend.from_onnx.inlining import renamed
from stowage.frontend.from_onnx.node_site import NodeSite, Results
from stowage.frontend.from_onnx.operators.table import IMPORTERS
from stowage.frontend.from_onnx.opset import in_default_domain
from stowage.frontend.from_onnx.static_evaluation import evaluate, is_evaluated
from stowage.frontend.from_onnx.structure.table import STRUCTURES
from stowage.frontend.from_onnx.tensor_data import array_of
from stowage.frontend.from_onnx.tensors import Tensors
from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.graph import Array
from stowage.ir.ops.op import ShapeError

LARGEST_UNROLLED_BODIES = 2**11
LARGEST_UNROLLED_NODES = 2**14
"""Loops in loops can unroll without bounds; no program for a microcontroller has as many steps."""


class Translator:
    """What translating nodes needs beside the nodes, and how much their bodies have come to."""

    def __init__(self, tensors: Tensors, builder: GraphBuilder) -> None:
        """Args: tensors: what the names of operands stand for. builder: the graph."""
        self._tensors = tensors
        self._builder = builder
        self._bodies = 0
        self._nodes = 0

    def translate(self, node: NodeProto, opset: int, caller: str = "") -> None:
        """Adds what the node does to the graph and binds its outputs.

        Args:
            node: the node.
            opset: version of ONNX's operator set.
            caller: how messages name the node of the file in whose body this one stands, if in any.

        Raises:
            InvalidModel: its operands do not suit it.
            UnsupportedModel: it is of a form that Stowage does not compile.
        """
        site = NodeSite(node, opset, self._tensors, self._builder, caller)
        if in_default_domain(node) and node.op_type in STRUCTURES:
            STRUCTURES[node.op_type](site, _Inside(self, caller))
            return
        operands = {name: self._tensors.known(name) for name in node.input if name}
        results: Results | None = evaluate(node, operands, opset)
        if results is None and not _has_importer(node) and has_body(node, opset):
            self._translate_body(site)
            return
        _bind(site, _imported(site) if results is None else results)

    def _translate_body(self, site: NodeSite) -> None:
        """The operator is made of the parts that ONNX's body for it has; its outputs are theirs."""
        body = body_of(site)
        names = _outside(body, site.proto)
        opset = next((entry.version for entry in body.opset_import if not entry.domain), site.opset)
        self.begin(site)
        for index, node in enumerate(renamed(body.node, names, site.reserve, attributes_of(site))):
            node.name = f"{site.name}.{node.op_type.lower()}{index}"
            self.translate_inside(node, opset, site.caller or site.where)

    def begin(self, site: NodeSite) -> None:
        """Counts that a body begins.

        Raises:
            UnsupportedModel: there have been too many.
        """
        self._bodies += 1
        if self._bodies > LARGEST_UNROLLED_BODIES:
            raise site.unsupported(*_TOO_MUCH)

    def translate_inside(self, node: NodeProto, opset: int, caller: str) -> None:
        """As `translate`, for a node of a body."""
        self._nodes += 1
        if self._nodes > LARGEST_UNROLLED_NODES:
            raise UnsupportedModel(where=caller or describe(node), reason=_TOO_MUCH[0], remedy=_TOO_MUCH[1])
        self.translate(node, opset, caller)


_TOO_MUCH = (
    f"control flow unrolls to more than {LARGEST_UNROLLED_BODIES} bodies or {LARGEST_UNROLLED_NODES} nodes",
    "let loops run fewer times",
)


@dataclass(frozen=True, slots=True)
class _Inside:
    """Translates what stands in place of a node with graphs."""

    translator: Translator
    caller: str

    def __call__(self, node: NodeProto, opset: int) -> None:
        self.translator.translate_inside(node, opset, self.caller)

    def begin(self, site: NodeSite) -> None:
        self.translator.begin(site)


def _has_importer(node: NodeProto) -> bool:
    return in_default_domain(node) and node.op_type in IMPORTERS


def _outside(body: FunctionProto, call: NodeProto) -> dict[str, str]:
    """What a body's operands and outputs are called at its call: absent operands are "", unused outputs not there."""
    absent = [""] * max(0, len(body.input) - len(call.input))
    used = {formal: actual for formal, actual in zip(body.output, call.output, strict=False) if actual}
    return {**dict(zip(body.input, [*call.input, *absent], strict=False)), **used}


def _imported(site: NodeSite) -> Results:
    if not _has_importer(site.proto):
        raise _no_importer(site)
    try:
        return IMPORTERS[site.proto.op_type](site)
    except ShapeError as error:
        raise InvalidModel(where=site.where, reason=str(error), remedy="correct the model's shapes and types") from None


def _no_importer(site: NodeSite) -> UnsupportedModel:
    remedy = "replace it by supported operators and export the model again"
    name = site.proto.op_type
    if not is_evaluated(name):
        return site.unsupported(f"no importer for the operator {name}", remedy)
    return site.unsupported(
        f"{name} is supported on constants alone, but this one depends on the model's inputs", remedy
    )


def _bind(site: NodeSite, results: Results) -> None:
    if any(site.makes(index) for index in range(len(results), len(site.proto.output))):
        raise site.invalid(f"it has {len(site.proto.output)} outputs, but {site.proto.op_type} makes {len(results)}")
    for name, result in zip(site.proto.output, results, strict=False):
        if not name:
            continue
        if isinstance(result, np.ndarray):
            site.tensors.bind_known(name, result, site.where)
        else:
            site.tensors.bind(name, result, site.where)
            site.builder.rename(result, name)


def constants_of(nodes: Sequence[NodeProto]) -> dict[str, Array]:
    """What `Constant` nodes with a tensor hold, by output."""
    return {
        node.output[0]: array_of(attribute.t, f"Constant node {node.name!r}")
        for node in nodes
        if node.op_type == "Constant" and node.output
        for attribute in node.attribute
        if attribute.name == "value"
    }
