# SPDX-License-Identifier: Apache-2.0
"""Graph inputs that the user gives a value become initialisers: what hangs on them alone is known while importing."""

from __future__ import annotations

from collections.abc import Mapping

from onnx import ModelProto, ValueInfoProto, numpy_helper

from stowage.frontend.fixed_input import check_fixed_names, fixed_array
from stowage.frontend.from_onnx.declared_types import dimension_names, element_type
from stowage.frontend.from_onnx.graph_order import graph_inputs


def fix_inputs(model: ModelProto, fixed: Mapping[str, str], dimensions: Mapping[str, int]) -> None:
    """Moves inputs among the initialisers.

    Args:
        model: what is changed.
        fixed: elements by the names of inputs, as the user wrote them.
        dimensions: values for the model's dynamic dimensions.

    Raises:
        InvalidModel: there is no such input, or its elements are not those of its type.
        UnsupportedModel: it is no tensor, or its element type is not supported.
    """
    check_fixed_names(fixed, graph_inputs(model.graph))
    taken = [info for info in model.graph.input if info.name in fixed]
    for info in taken:
        where = f"input {info.name!r}"
        array = fixed_array(fixed[info.name], element_type(info), _extents(info, dimensions), where)
        model.graph.initializer.append(numpy_helper.from_array(array, info.name))
        model.graph.input.remove(info)


def _extents(info: ValueInfoProto, dimensions: Mapping[str, int]) -> list[int | None]:
    shape = info.type.tensor_type.shape.dim
    names = dimension_names(info)
    return [dimensions.get(name) if name else each.dim_value for each, name in zip(shape, names, strict=True)]
