# SPDX-License-Identifier: Apache-2.0
"""From a TFLite file to a graph: every claim of the file checked, every shape known, nothing left to interpret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from stowage.errors import InvalidModel, StowageError
from stowage.frontend import fixed_input
from stowage.frontend.fixed_input import check_fixed_names, fixed_array
from stowage.frontend.from_tflite.model_file import read_records
from stowage.frontend.from_tflite.model_records import ModelRecord
from stowage.frontend.from_tflite.open_dimensions import with_extents
from stowage.frontend.from_tflite.states import States
from stowage.frontend.from_tflite.tensors import Tensors, unique_names
from stowage.frontend.from_tflite.translation import translate
from stowage.frontend.graph_builder import GraphBuilder
from stowage.frontend.model_name import model_name
from stowage.ir.graph import Arithmetic, Graph, Value
from stowage.ir.tensor_type import TensorType

_NONE: Mapping[str, int] = MappingProxyType({})


def read_tflite(
    path: Path,
    dimensions: Mapping[str, int] = _NONE,
    *,
    name: str = "",
    fixed: Mapping[str, str] = fixed_input.NONE,
) -> Graph:
    """Reads a TFLite model.

    Inputs and outputs keep the file's names, shapes and types; images are NHWC there already. An extent that
    the file leaves open is 1 if no other is given. Integers are computed as TFLite's reference kernels compute them.

    Args:
        path: the file.
        dimensions: values for open extents of inputs, by `<input>.<axis>`.
        name: the graph's name, a C identifier; made from the file's name if empty.
        fixed: elements of those inputs that are constants of this build, by name.

    Raises:
        InvalidModel: the file is no TFLite model, or contradicts itself.
        UnsupportedModel: it holds something that Stowage does not compile.
    """
    try:
        return _imported(read_records(path), dimensions, model_name(name, path), fixed)
    except StowageError as error:
        raise error.in_file(str(path)) from error.__cause__


def _imported(model: ModelRecord, dimensions: Mapping[str, int], name: str, fixed: Mapping[str, str]) -> Graph:
    if not model.subgraphs:
        raise InvalidModel(reason="it has no subgraph", remedy="convert the model again")
    main = model.subgraphs[0]
    if not main.outputs:
        raise InvalidModel(reason="its first subgraph has no outputs", remedy="convert the model again")
    names = unique_names(main)
    main = with_extents(main, names, dimensions)
    builder = GraphBuilder(name, names)
    states = States(builder, names)
    tensors = Tensors(model, main, builder, states)
    check_fixed_names(fixed, map(tensors.name, main.inputs))
    for index in main.inputs:
        tensors.bind(index, _input(builder, tensors.name(index), tensors.type(index), fixed))
    for place, operator in enumerate(main.operators):
        translate(operator, place, tensors, builder)
    outputs = [(tensors.name(index), tensors.value(index, "graph outputs")) for index in main.outputs]
    pairs = states.pairs()
    graph = builder.finish([*outputs, *((kept, value) for _, value, kept in pairs)], Arithmetic.TFLITE)
    arithmetic = Arithmetic.TFLITE if _has_integers(graph) else Arithmetic.ONNX
    return replace(graph, arithmetic=arithmetic, states=tuple((held.name, kept) for held, _, kept in pairs))


def _input(builder: GraphBuilder, name: str, type_: TensorType, fixed: Mapping[str, str]) -> Value:
    if name not in fixed:
        return builder.input(name, type_)
    array = fixed_array(fixed[name], type_.dtype, type_.shape, f"input {name!r}")
    return builder.constant(name, array, type_.quant)


def _has_integers(graph: Graph) -> bool:
    """Whether integers stand for reals anywhere; a model of floats alone can be quantised in the build as any other."""
    made = (value for node in graph.nodes for value in node.outputs)
    return any(value.type.quant is not None for value in (*graph.inputs, *made))
