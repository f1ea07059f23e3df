# SPDX-License-Identifier: Apache-2.0
"""One node of the file becomes nodes of the graph, or a tensor that is known from here on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from onnx import NodeProto

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.node_site import NodeSite, Results
from stowage.frontend.from_onnx.operators.table import IMPORTERS
from stowage.frontend.from_onnx.static_evaluation import evaluate
from stowage.frontend.from_onnx.tensor_data import array_of
from stowage.frontend.from_onnx.tensors import Tensors
from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.graph import Array
from stowage.ir.ops.op import ShapeError


def translate(node: NodeProto, opset: int, tensors: Tensors, builder: GraphBuilder) -> None:
    """Adds what the node does to the graph and binds its outputs.

    Raises:
        InvalidModel: its operands do not suit it.
        UnsupportedModel: it is of a form that Stowage does not compile.
    """
    site = NodeSite(node, opset, tensors, builder)
    operands = {name: tensors.known(name) for name in node.input if name}
    results: Results | None = evaluate(node, operands, opset)
    if results is None:
        results = _imported(site)
    _bind(site, results)


def _imported(site: NodeSite) -> Results:
    importer = IMPORTERS.get(site.proto.op_type)
    if importer is None:
        raise site.unsupported(
            f"{site.proto.op_type} is supported on constants alone, but this one depends on the model's inputs",
            "replace it by supported operators and export the model again",
        )
    try:
        return importer(site)
    except ShapeError as error:
        raise InvalidModel(where=site.where, reason=str(error), remedy="correct the model's shapes and types") from None


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
