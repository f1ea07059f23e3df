# SPDX-License-Identifier: Apache-2.0
"""Operators that ONNX itself defines by a body of other operators: what has no importer is made of these parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, cast

from onnx import AttributeProto, FunctionProto, NodeProto, TypeProto, defs

from stowage.frontend.from_onnx.element_types import onnx_type_of
from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.opset import DEFAULT_DOMAINS, PREVIEW_DOMAIN
from stowage.ir.tensor_type import TensorType


class _Schema(Protocol):
    """What `onnx.defs.OpSchema` has and its type stub lacks."""

    attributes: Mapping[str, Any]
    has_function: bool
    has_context_dependent_function: bool
    function_opset_versions: list[int]
    context_dependent_function_opset_versions: list[int]

    def get_function_with_opset_version(self, version: int) -> bytes: ...

    def get_context_dependent_function_with_opset_version(
        self, version: int, node: bytes, types: list[bytes]
    ) -> bytes: ...


def has_body(node: NodeProto, opset: int) -> bool:
    """Whether ONNX defines the operator by a body."""
    schema = _schema(node, opset)
    return schema is not None and (schema.has_function or schema.has_context_dependent_function)


def body_of(site: NodeSite) -> FunctionProto:
    """The body for a node's attributes and for the types of its operands.

    Raises:
        InvalidModel: they do not suit the operator.
    """
    schema = _schema(site.proto, site.opset)
    assert schema is not None
    fixed, typed = schema.function_opset_versions, schema.context_dependent_function_opset_versions
    types = _types(site)
    data: bytes
    try:
        if fixed:
            data = schema.get_function_with_opset_version(_version(fixed, site.opset))
        else:
            node = _complete(site.proto, schema).SerializeToString()
            version = _version(typed, site.opset)
            data = schema.get_context_dependent_function_with_opset_version(version, node, types)
        body = FunctionProto()
        body.ParseFromString(data)
    except Exception as error:  # the builders in C++ raise whatever they meet
        reason = str(error).split("\n")[0][:200]
        raise site.invalid(f"ONNX has no body for it in this form ({reason})") from None
    if not body.node:
        raise site.invalid("ONNX has no body for it in this form")
    return body


def attributes_of(site: NodeSite) -> dict[str, AttributeProto]:
    """The node's attributes, and the defaults of those that it does not have."""
    schema = _schema(site.proto, site.opset)
    assert schema is not None
    return {attribute.name: attribute for attribute in _complete(site.proto, schema).attribute}


def _schema(node: NodeProto, opset: int) -> _Schema | None:
    domain = "" if node.domain in DEFAULT_DOMAINS else node.domain
    try:
        if domain == PREVIEW_DOMAIN:  # has one version of everything, and promises none
            return cast(_Schema, defs.get_schema(node.op_type, domain))
        return cast(_Schema, defs.get_schema(node.op_type, opset, domain)) if not domain else None
    except defs.SchemaError:
        return None


def _version(versions: list[int], opset: int) -> int:
    """The newest that is not newer than the model; an operator of an older set may have a body of a newer one alone."""
    return max((version for version in versions if version <= opset), default=min(versions))


def _complete(node: NodeProto, schema: _Schema) -> NodeProto:
    complete = NodeProto()
    complete.CopyFrom(node)
    given = {attribute.name for attribute in node.attribute}
    for name, attribute in schema.attributes.items():
        if name not in given and attribute.default_value.type:
            complete.attribute.append(attribute.default_value)
    return complete


def _types(site: NodeSite) -> list[bytes]:
    """Serialised types of the operands; an absent one has none."""
    return [
        (_type(site, index) if site.has(index) else TypeProto()).SerializeToString()
        for index in range(len(site.proto.input))
    ]


def _type(site: NodeSite, index: int) -> TypeProto:
    """A sequence has the element type of its first tensor."""
    items = site.tensors.sequence(site.proto.input[index])
    result = TypeProto()
    if items is None:
        _describe(result.tensor_type, site.type(index))
    elif items:
        result.sequence_type.elem_type.tensor_type.elem_type = onnx_type_of(site.tensors.type(items[0]).dtype)
    return result


def _describe(proto: TypeProto.Tensor, type: TensorType) -> None:
    proto.elem_type = onnx_type_of(type.dtype)
    proto.shape.SetInParent()
    for extent in type.shape:
        proto.shape.dim.add().dim_value = extent
