# SPDX-License-Identifier: Apache-2.0
"""Which version of ONNX's operator set a model speaks."""

from __future__ import annotations

import onnx
from onnx import ModelProto, NodeProto

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.subgraphs import all_graphs

OLDEST_OPSET = 7
"""The first version with today's broadcasting rules."""

DEFAULT_DOMAINS = ("", "ai.onnx")

PREVIEW_DOMAIN = "ai.onnx.preview"
"""Operators that ONNX tries out; those that it defines by a body of known ones are accepted."""


def opset_of(model: ModelProto) -> int:
    """The version of the default operator set that the model imports.

    An older one than `OLDEST_OPSET` counts as that where all of the model's operators are the same in both.

    Raises:
        InvalidModel: it imports none, or two different ones.
        UnsupportedModel: the version, or the file format's, is older or newer than what Stowage knows.
    """
    newest: int = onnx.defs.onnx_opset_version()
    if model.ir_version > onnx.IR_VERSION:
        raise UnsupportedModel(
            reason=f"the file format is IR version {model.ir_version}, and the newest known one is {onnx.IR_VERSION}",
            remedy="export for an older version of ONNX",
        )
    versions = {entry.version for entry in model.opset_import if entry.domain in DEFAULT_DOMAINS}
    if len(versions) != 1:
        found = f"versions {sorted(versions)}" if versions else "no version"
        raise InvalidModel(
            reason=f"the model imports {found} of ONNX's operator set, but must import one",
            remedy="export it again",
        )
    version: int = versions.pop()
    if 1 <= version < OLDEST_OPSET and _is_unchanged(model, version):
        return OLDEST_OPSET
    if not OLDEST_OPSET <= version <= newest:
        raise UnsupportedModel(
            reason=f"the model uses operator set {version}, and Stowage knows {OLDEST_OPSET} to {newest}",
            remedy=f"export for one of these or use onnx.version_converter.convert_version(model, {newest})",
        )
    return version


def _is_unchanged(model: ModelProto, version: int) -> bool:
    graphs = all_graphs(model.graph)
    return not model.functions and all(_is_same(node, version) for graph in graphs for node in graph.node)


def _is_same(node: NodeProto, version: int) -> bool:
    """Whether the operator is the same in a version as in the oldest that is known."""
    try:
        old, known = (onnx.defs.get_schema(node.op_type, each).since_version for each in (version, OLDEST_OPSET))
    except onnx.defs.SchemaError:
        return False
    return bool(old == known and in_default_domain(node))


def in_default_domain(node: NodeProto) -> bool:
    """Whether the operator is one of ONNX's own (traditional machine learning and training domains are not)."""
    return node.domain in DEFAULT_DOMAINS
