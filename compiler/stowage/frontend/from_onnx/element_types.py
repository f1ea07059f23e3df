# SPDX-License-Identifier: Apache-2.0
"""ONNX's element types as Stowage's."""

from __future__ import annotations

from onnx import TensorProto

from stowage.errors import UnsupportedModel
from stowage.ir.dtype import DType

_DTYPES: dict[int, DType] = {
    TensorProto.FLOAT: DType.F32,
    TensorProto.FLOAT16: DType.F16,
    TensorProto.DOUBLE: DType.F64,
    TensorProto.INT8: DType.I8,
    TensorProto.INT16: DType.I16,
    TensorProto.INT32: DType.I32,
    TensorProto.INT64: DType.I64,
    TensorProto.UINT8: DType.U8,
    TensorProto.UINT16: DType.U16,
    TensorProto.UINT32: DType.U32,
    TensorProto.UINT64: DType.U64,
    TensorProto.BOOL: DType.BOOL,
}


def dtype_of(data_type: int, where: str) -> DType:
    """The element type with ONNX's number `data_type`.

    Raises:
        UnsupportedModel: Stowage has no such element type (strings, complex numbers, 4-bit and 8-bit floats, …).
    """
    if data_type in _DTYPES:
        return _DTYPES[data_type]
    name = TensorProto.DataType.Name(data_type) if data_type in TensorProto.DataType.values() else str(data_type)
    raise UnsupportedModel(
        where=where,
        reason=f"element type {name} is not supported",
        remedy="use float32 or a signed or unsigned integer of 8 to 64 bits",
    )


def onnx_type_of(dtype: DType) -> int:
    """ONNX's number of an element type."""
    return next(number for number, known in _DTYPES.items() if known is dtype)
