# SPDX-License-Identifier: Apache-2.0
"""Nodes of a body, copied under names of their own so that they can stand among the nodes around its call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from onnx import AttributeProto, GraphProto, NodeProto

from stowage.frontend.from_onnx.subgraphs import own_names, subgraphs_of

Attributes = Mapping[str, AttributeProto]


def renamed(
    nodes: Iterable[NodeProto], names: dict[str, str], fresh: Callable[[str], str], attributes: Attributes | None = None
) -> Iterator[NodeProto]:
    """Copies of the nodes; `names` grows by what they make.

    Args:
        nodes: a body, sorted.
        names: what the names in the body are outside of it; those that it does not have stay as they are.
        fresh: gives a tensor that the body makes its name outside.
        attributes: of the call, where the body is a function's that refers to them.
    """
    for node in nodes:
        copy = NodeProto()
        copy.CopyFrom(node)
        for name in node.output:
            if name and name not in names:
                names[name] = fresh(name)
        if attributes is not None:
            _settle(copy, attributes)
        _rename(copy, names)
        yield copy


def _rename(node: NodeProto, names: Mapping[str, str]) -> None:
    node.input[:] = [names.get(name, name) for name in node.input]
    node.output[:] = [names.get(name, name) for name in node.output]
    for graph in subgraphs_of(node):
        _rename_captured(graph, names)


def _rename_captured(graph: GraphProto, names: Mapping[str, str]) -> None:
    """Inside of a graph its own names go before those around it."""
    own = own_names(graph)
    captured = {name: new for name, new in names.items() if name not in own}
    for node in graph.node:
        _rename(node, captured)
    for info in graph.output:
        info.name = captured.get(info.name, info.name)


def _settle(node: NodeProto, attributes: Attributes) -> None:
    """Attributes that refer to the call's become what they are there, or vanish where the call has none."""
    settled = [_settled(attribute, attributes) for attribute in node.attribute]
    del node.attribute[:]
    node.attribute.extend(attribute for attribute in settled if attribute is not None)
    for graph in subgraphs_of(node):
        for inner in graph.node:
            _settle(inner, attributes)


def _settled(attribute: AttributeProto, attributes: Attributes) -> AttributeProto | None:
    if not attribute.ref_attr_name:
        return attribute
    if attribute.ref_attr_name not in attributes:
        return None
    result = AttributeProto()
    result.CopyFrom(attributes[attribute.ref_attr_name])
    result.name = attribute.name
    return result
