# SPDX-License-Identifier: Apache-2.0
"""Constant, in all the forms in which a value can be written into it, and EyeLike."""

from __future__ import annotations

import numpy as np
from onnx import AttributeProto

from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.tensor_data import array_of
from stowage.ir.graph import Array

_FORMS = ("value", "value_float", "value_floats", "value_int", "value_ints")


def _constant(site: NodeSite) -> Results:
    attributes = site.proto.attribute
    if len(attributes) != 1:
        raise site.invalid(f"it has {len(attributes)} attributes, but must have one, its value")
    if attributes[0].name not in _FORMS:
        raise site.unsupported(f"its form is {attributes[0].name}", f"use {', '.join(_FORMS)}")
    return (_array(attributes[0], site.where),)


def _array(attribute: AttributeProto, where: str) -> Array:
    if attribute.name == "value":
        return array_of(attribute.t, where)
    scalars = {"value_float": attribute.f, "value_int": attribute.i}
    lists = {"value_floats": attribute.floats, "value_ints": attribute.ints}
    elements = scalars[attribute.name] if attribute.name in scalars else list(lists[attribute.name])
    return np.array(elements, np.float32 if "float" in attribute.name else np.int64)


def _eye_like(site: NodeSite) -> Results:
    """Ones on a diagonal: only the shape of the input matters."""
    shape = site.type(0).shape
    if len(shape) != 2:
        raise site.invalid(f"the input has shape {list(shape)}, but must be a matrix")
    given = site.integer("dtype", 0)
    dtype = dtype_of(given, site.where) if given else site.type(0).dtype
    return (np.eye(*shape, k=site.integer("k", 0), dtype=dtype.numpy.name),)


IMPORTERS: Importers = {"Constant": _constant, "EyeLike": _eye_like}
