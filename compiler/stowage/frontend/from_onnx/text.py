# SPDX-License-Identifier: Apache-2.0
"""Names in the file must be text: protobuf hands over bytes where they are not, and nothing later expects that."""

from __future__ import annotations

from collections.abc import Iterator

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.subgraphs import all_graphs, subgraphs_of


def check_text(model: ModelProto) -> None:
    """Refuses names that are not UTF-8.

    Raises:
        InvalidModel: as said.
    """
    for name in _names(model):
        if not isinstance(name, str):
            raise InvalidModel(
                reason=f"the ONNX model is corrupt: the name {name[:40]!r} is not UTF-8",
                remedy="copy or export it again",
            )


def _names(model: ModelProto) -> Iterator[str]:
    yield from (entry.domain for entry in model.opset_import)
    for graph in all_graphs(model.graph):
        yield from _names_of_graph(graph)
    for function in model.functions:
        yield from (function.name, function.domain, *function.input, *function.output)
        for node in function.node:
            yield from _names_of_node(node)
            for graph in (each for inner in subgraphs_of(node) for each in all_graphs(inner)):
                yield from _names_of_graph(graph)


def _names_of_graph(graph: GraphProto) -> Iterator[str]:
    for info in (*graph.input, *graph.output, *graph.value_info):
        yield from _names_of_info(info)
    for tensor in graph.initializer:
        yield from _names_of_tensor(tensor)
    for node in graph.node:
        yield from _names_of_node(node)


def _names_of_info(info: ValueInfoProto) -> Iterator[str]:
    yield info.name
    yield from (dimension.dim_param for dimension in info.type.tensor_type.shape.dim)


def _names_of_tensor(tensor: TensorProto) -> Iterator[str]:
    yield tensor.name
    yield from (text for entry in tensor.external_data for text in (entry.key, entry.value))


def _names_of_node(node: NodeProto) -> Iterator[str]:
    yield from (node.name, node.op_type, node.domain, *node.input, *node.output)
    for attribute in node.attribute:
        yield from (attribute.name, attribute.ref_attr_name)
