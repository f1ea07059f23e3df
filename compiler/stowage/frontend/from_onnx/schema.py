# SPDX-License-Identifier: Apache-2.0
"""Whether the operators are known, and used as ONNX's own schemas say."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import EncodeError
from onnx import GraphProto, NodeProto, checker
from onnx.onnx_cpp2py_export.checker import CheckerContext

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.function_bodies import has_body
from stowage.frontend.from_onnx.graph_order import describe
from stowage.frontend.from_onnx.operators.table import IMPORTERS
from stowage.frontend.from_onnx.opset import DEFAULT_DOMAINS, PREVIEW_DOMAIN, in_default_domain
from stowage.frontend.from_onnx.static_evaluation import is_evaluated


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
    imported = in_default_domain(node) and (node.op_type in IMPORTERS or is_evaluated(node.op_type))
    return imported or has_body(node, opset)


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
            checker.check_node(node, context)
        except (checker.ValidationError, EncodeError, ValueError, RuntimeError) as error:
            # ValidationError is the checker's own; the others come from the C++ beneath, on what it cannot hold.
            reason = str(error).split("\n")[0].strip().rstrip(".;")[:300]
            raise InvalidModel(
                where=describe(node), reason=f"ONNX's checker says: {reason}", remedy="export the model again"
            ) from None
