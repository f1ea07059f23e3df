# SPDX-License-Identifier: Apache-2.0
"""One node of the file becomes nodes of the graph, or a tensor that is known from here on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from onnx import NodeProto

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.function_bodies import attributes_of, body_of, has_body
from stowage.frontend.from_onnx.inlining import renamed
from stowage.frontend.from_onnx.node_site import NodeSite, Results
from stowage.frontend.from_onnx.operators.table import IMPORTERS
from stowage.frontend.from_onnx.opset import in_default_domain
from stowage.frontend.from_onnx.static_evaluation import evaluate, is_evaluated
from stowage.frontend.from_onnx.tensor_data import array_of
from stowage.frontend.from_onnx.tensors import Tensors
from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.graph import Array
from stowage.ir.ops.op import ShapeError


def translate(node: NodeProto, opset: int, tensors: Tensors, builder: GraphBuilder, caller: str = "") -> None:
    """Adds what the node does to the graph and binds its outputs.

    Args:
        node: the node.
        opset: version of ONNX's operator set.
        tensors: what the names of its operands stand for.
        builder: the graph.
        caller: how messages name the node of the file in whose body this one stands, if in any.

    Raises:
        InvalidModel: its operands do not suit it.
        UnsupportedModel: it is of a form that Stowage does not compile.
    """
    site = NodeSite(node, opset, tensors, builder, caller)
    operands = {name: tensors.known(name) for name in node.input if name}
    results: Results | None = evaluate(node, operands, opset)
    if results is None and not _has_importer(node) and has_body(node, opset):
        _translate_body(site)
        return
    _bind(site, _imported(site) if results is None else results)


def _has_importer(node: NodeProto) -> bool:
    return in_default_domain(node) and node.op_type in IMPORTERS


def _translate_body(site: NodeSite) -> None:
    """The operator is made of the parts that ONNX's body for it has; its outputs are theirs."""
    body = body_of(site)
    names = _outside(body.input, site.proto.input) | _outside(body.output, site.proto.output)
    opset = next((entry.version for entry in body.opset_import if not entry.domain), site.opset)

    def fresh(name: str) -> str:
        return site.builder.reserve(f"{site.output_name}.{name}")

    for index, node in enumerate(renamed(body.node, names, fresh, attributes_of(site))):
        node.name = f"{site.name}.{node.op_type.lower()}{index}"
        translate(node, opset, site.tensors, site.builder, site.caller or site.where)


def _outside(formal: Sequence[str], actual: Sequence[str]) -> dict[str, str]:
    """What a body's operands or outputs are called at its call; absent operands have no name."""
    given = (*actual, *("" for _ in range(len(formal) - len(actual))))
    return dict(zip(formal, given, strict=False))


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
