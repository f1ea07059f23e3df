# SPDX-License-Identifier: Apache-2.0
"""The elements of a tensor in the file, once its claims about them have been checked."""

from __future__ import annotations

import math
from collections.abc import Sized

from onnx import TensorProto, numpy_helper

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.declared_types import check_rank
from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.ir.dtype import DType
from stowage.ir.graph import Array

_FIELDS = {
    DType.F32: "float_data",
    DType.F64: "double_data",
    DType.I64: "int64_data",
    DType.U32: "uint64_data",
    DType.U64: "uint64_data",
}
"""Where elements are listed if not as raw bytes; those that are not here are in `int32_data`."""


def array_of(tensor: TensorProto, where: str) -> Array:
    """The tensor as a NumPy array (its external data, if any, already loaded).

    Raises:
        InvalidModel: the shape is negative, or there are more or fewer elements than it says.
        UnsupportedModel: the element type is not supported.
    """
    dtype = dtype_of(tensor.data_type, where)
    shape = tuple(tensor.dims)
    check_rank(len(shape), where)
    if tensor.HasField("segment"):
        raise _broken(where, "it is only a segment of a tensor")
    if any(extent < 0 for extent in shape):
        raise _broken(where, f"its shape {list(shape)} has a negative extent")
    wanted, found = math.prod(shape), _elements(tensor, dtype)
    if wanted != found:
        raise _broken(where, f"its shape {list(shape)} has {wanted} elements, but the file holds {found:g} of them")
    return numpy_helper.to_array(tensor)


def _elements(tensor: TensorProto, dtype: DType) -> float:
    if tensor.HasField("raw_data"):
        return len(tensor.raw_data) / dtype.size_bytes
    field: Sized = getattr(tensor, _FIELDS.get(dtype, "int32_data"))
    return len(field)


def _broken(where: str, reason: str) -> InvalidModel:
    return InvalidModel(where=where, reason=reason, remedy="export the model again")
