# SPDX-License-Identifier: Apache-2.0
"""Values that the user gives for dynamic dimensions must be for dimensions that there are."""

from __future__ import annotations

from collections.abc import Mapping

from onnx import GraphProto

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.declared_types import dimension_names


def check_dimensions(graph: GraphProto, dimensions: Mapping[str, int]) -> None:
    """Refuses values that are not positive, and names that no input of the graph has.

    Raises:
        InvalidModel: as said.
    """
    names = sorted({name for info in graph.input for name in dimension_names(info) if name})
    for name, extent in dimensions.items():
        where = f"dimension {name!r}"
        if extent < 1:
            raise InvalidModel(where=where, reason=f"its value is {extent}", remedy="give a positive number")
        if name not in names:
            known = f"its dynamic dimensions are {', '.join(names)}" if names else "it has no dynamic dimensions"
            raise InvalidModel(where=where, reason=f"the model has no such dimension, {known}", remedy="correct it")
