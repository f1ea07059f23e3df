# SPDX-License-Identifier: Apache-2.0
"""Whether there is an importer for every operator of a model."""

from __future__ import annotations

from onnx import GraphProto, NodeProto

from stowage.errors import UnsupportedModel
from stowage.frontend.from_onnx.function_bodies import has_body
from stowage.frontend.from_onnx.graph_order import describe
from stowage.frontend.from_onnx.operators.table import IMPORTERS
from stowage.frontend.from_onnx.opset import in_default_domain
from stowage.frontend.from_onnx.static_evaluation import is_evaluated
from stowage.frontend.from_onnx.structure.table import STRUCTURES


def check_operators(graph: GraphProto, opset: int) -> None:
    """Refuses a graph with operators that have no importer, all of them in one message.

    Raises:
        UnsupportedModel: as said.
    """
    unknown = [node for node in graph.node if not _is_known(node, opset)]
    if not unknown:
        return
    names = sorted({_full_name(node) for node in unknown})
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    raise UnsupportedModel(
        where=describe(unknown[0]),
        reason=f"no importer for the operator{'s' if len(names) > 1 else ''} {shown}",
        remedy="replace it by supported operators and export the model again",
    )


_SHOWN = 12


def _full_name(node: NodeProto) -> str:
    name = f"{node.domain}::{node.op_type}" if node.domain else node.op_type
    return name if name.isprintable() else repr(name)


def _is_known(node: NodeProto, opset: int) -> bool:
    own = node.op_type in IMPORTERS or node.op_type in STRUCTURES or is_evaluated(node.op_type)
    return (own and in_default_domain(node)) or has_body(node, opset)
