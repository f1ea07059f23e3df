# SPDX-License-Identifier: Apache-2.0
"""From an ONNX file to a graph: every claim of the file checked, every shape known, nothing left to interpret."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from onnx import GraphProto, ModelProto

from stowage.errors import StowageError, UnsupportedModel
from stowage.frontend import fixed_input
from stowage.frontend.from_onnx.declared_types import Claim, claim_of, input_type
from stowage.frontend.from_onnx.dimensions import check_dimensions
from stowage.frontend.from_onnx.external_data import load_external_data
from stowage.frontend.from_onnx.fixed_inputs import fix_inputs
from stowage.frontend.from_onnx.functions import inlined
from stowage.frontend.from_onnx.graph_order import graph_inputs, ordered_nodes
from stowage.frontend.from_onnx.known_operators import check_operators
from stowage.frontend.from_onnx.model_file import read_model_proto
from stowage.frontend.from_onnx.opset import opset_of
from stowage.frontend.from_onnx.quantisation import wanted_quantisations
from stowage.frontend.from_onnx.schema import check_schema
from stowage.frontend.from_onnx.subgraphs import own_names
from stowage.frontend.from_onnx.tensor_data import array_of
from stowage.frontend.from_onnx.tensors import Tensors
from stowage.frontend.from_onnx.text import check_text
from stowage.frontend.from_onnx.translation import Translator, constants_of
from stowage.frontend.graph_builder import GraphBuilder
from stowage.frontend.model_name import model_name
from stowage.ir.graph import Arithmetic, Array, Graph
from stowage.ir.tensor_type import Quant, TensorType

_NONE: Mapping[str, int] = MappingProxyType({})


def read_onnx(
    path: Path, dimensions: Mapping[str, int] = _NONE, *, name: str = "", fixed: Mapping[str, str] = fixed_input.NONE
) -> Graph:
    """Reads an ONNX model.

    Graph inputs keep the model's own shape and order; inside, images are NHWC between transposes. Values and nodes have
    the file's names.

    Args:
        path: the file; external data must lie in its folder.
        dimensions: values for the model's dynamic dimensions, by name (`batch`, or `<input>.<axis>` where it has none).
        name: the graph's name, a C identifier; made from the file's name if empty.
        fixed: elements of those inputs that are constants of this build, by name.

    Raises:
        InvalidModel: the file is no ONNX model, or contradicts ONNX or itself.
        UnsupportedModel: it holds something that Stowage does not compile.
    """
    try:
        model = read_model_proto(path)
        check_text(model)
        opset = opset_of(model)
        model = inlined(model)
        fix_inputs(model, fixed, dimensions)
        check_operators(model.graph, opset)
        load_external_data(model, path.parent)
        return _imported(model, opset, dimensions, model_name(name, path))
    except StowageError as error:
        raise error.in_file(str(path)) from error.__cause__


def _imported(model: ModelProto, opset: int, dimensions: Mapping[str, int], name: str) -> Graph:
    graph = model.graph
    nodes = ordered_nodes(graph)
    check_schema(nodes, opset, model.ir_version)
    check_dimensions(graph, dimensions)
    known = _initialisers(graph)
    types = _input_types(graph, dimensions, wanted_quantisations(nodes, {**known, **constants_of(nodes)}))
    builder = GraphBuilder(name, own_names(graph))
    tensors = Tensors(builder, known, _claims(graph, dimensions))
    for input_name, type in types.items():
        tensors.bind(input_name, builder.input(input_name, type), f"input {input_name!r}")
    translator = Translator(tensors, builder)
    for node in nodes:
        translator.translate(node, opset)
    outputs = [(info.name, tensors.value(info.name, f"output {info.name!r}")) for info in graph.output]
    return builder.finish(outputs, Arithmetic.ONNX)


def _initialisers(graph: GraphProto) -> dict[str, Array]:
    if graph.sparse_initializer:
        name = graph.sparse_initializer[0].values.name
        raise UnsupportedModel(where=f"initialiser {name!r}", reason="it is sparse", remedy="store weights densely")
    return {tensor.name: array_of(tensor, f"initialiser {tensor.name!r}") for tensor in graph.initializer}


def _input_types(
    graph: GraphProto, dimensions: Mapping[str, int], quants: Mapping[str, Quant]
) -> dict[str, TensorType]:
    fed = set(graph_inputs(graph))
    return {info.name: input_type(info, dimensions, quants.get(info.name)) for info in graph.input if info.name in fed}


def _claims(graph: GraphProto, dimensions: Mapping[str, int]) -> dict[str, Claim]:
    claims = {info.name: claim_of(info, dimensions) for info in (*graph.value_info, *graph.output)}
    return {name: claim for name, claim in claims.items() if claim is not None}
