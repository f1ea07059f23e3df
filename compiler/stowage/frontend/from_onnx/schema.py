# SPDX-License-Identifier: Apache-2.0
"""Whether the operators are known, and used as ONNX's own schemas say."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.message import EncodeError
from onnx import GraphProto, ModelProto, NodeProto, checker

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.graph_order import describe
from stowage.frontend.from_onnx.operators.table import IMPORTERS
from stowage.frontend.from_onnx.opset import in_default_domain
from stowage.frontend.from_onnx.static_evaluation import is_evaluated


def check_operators(graph: GraphProto) -> None:
    """Refuses a graph with operators that have no importer, all of them in one message.

    Raises:
        UnsupportedModel: as said.
    """
    unknown = [node for node in graph.node if not _is_known(node)]
    if not unknown:
        return
    names = sorted({f"{node.domain}::{node.op_type}" if node.domain else node.op_type for node in unknown})
    those = "operator" if len(names) == 1 else "operators"
    raise UnsupportedModel(
        where=describe(unknown[0]),
        reason=f"the {those} {', '.join(names)} ({len(unknown)} nodes) cannot be compiled",
        remedy="replace them by supported ones, which docs/operators.md lists",
    )


def _is_known(node: NodeProto) -> bool:
    return in_default_domain(node) and (node.op_type in IMPORTERS or is_evaluated(node.op_type))


def check_schema(model: ModelProto, order: Sequence[NodeProto]) -> None:
    """Runs ONNX's checker, which knows each operator's attributes and operand counts, over the nodes in order.

    Raises:
        InvalidModel: it finds a fault.
    """
    if list(order) != list(model.graph.node):
        nodes = [NodeProto.FromString(node.SerializeToString()) for node in order]
        del model.graph.node[:]
        model.graph.node.extend(nodes)
    try:
        checker.check_model(model)
    except (checker.ValidationError, EncodeError, ValueError, RuntimeError) as error:
        # ValidationError is the checker's own; the others come from the C++ beneath, on what it cannot hold.
        reason = str(error).split("\n")[0].strip().rstrip(".;")[:300]
        raise InvalidModel(
            reason=f"ONNX's checker refuses the model ({reason})", remedy="export the model again"
        ) from None
