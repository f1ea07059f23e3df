# SPDX-License-Identifier: Apache-2.0
"""Whether operators are used as ONNX's own schemas say."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import EncodeError
from onnx import GraphProto, NodeProto, checker
from onnx.onnx_cpp2py_export.checker import CheckerContext

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.graph_order import describe
from stowage.frontend.from_onnx.opset import DEFAULT_DOMAINS, PREVIEW_DOMAIN
from stowage.frontend.from_onnx.subgraphs import subgraphs_of


def check_schema(nodes: Iterable[NodeProto], opset: int, ir_version: int) -> None:
    """Runs ONNX's checker, which knows each operator's attributes and operand counts, over the nodes.

    Raises:
        InvalidModel: it finds a fault.
    """
    context = CheckerContext()
    context.ir_version = ir_version
    context.opset_imports = {**dict.fromkeys(DEFAULT_DOMAINS, opset), PREVIEW_DOMAIN: 1}
    for node in nodes:
        try:
            checker.check_node(_without_graphs(node), context)
        except (checker.ValidationError, EncodeError, ValueError, RuntimeError) as error:
            # ValidationError is the checker's own; the others come from the C++ beneath, on what it cannot hold.
            reason = str(error).split("\n")[0].strip().rstrip(".;")[:300]
            raise InvalidModel(
                where=describe(node), reason=f"ONNX's checker says: {reason}", remedy="export the model again"
            ) from None


def _without_graphs(node: NodeProto) -> NodeProto:
    """The checker knows nothing of what graphs inside of the node read from around it, so these are checked apart."""
    if not any(subgraphs_of(node)):
        return node
    bare = NodeProto()
    bare.CopyFrom(node)
    for graph in subgraphs_of(bare):
        graph.CopyFrom(GraphProto(name="bare"))
    return bare
