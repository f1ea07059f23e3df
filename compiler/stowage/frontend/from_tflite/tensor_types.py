# SPDX-License-Identifier: Apache-2.0
"""From a file's tensors to types, with every claim checked."""

from __future__ import annotations

import math

import numpy as np
import tflite

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_tflite.model_records import Bytes, Quantisation, TensorRecord
from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.ir.tensor_type import Quant, TensorType

_ELEMENTS = {
    tflite.TensorType.FLOAT32: DType.F32,
    tflite.TensorType.FLOAT16: DType.F16,
    tflite.TensorType.FLOAT64: DType.F64,
    tflite.TensorType.INT8: DType.I8,
    tflite.TensorType.INT16: DType.I16,
    tflite.TensorType.INT32: DType.I32,
    tflite.TensorType.INT64: DType.I64,
    tflite.TensorType.UINT8: DType.U8,
    tflite.TensorType.UINT16: DType.U16,
    tflite.TensorType.UINT32: DType.U32,
    tflite.TensorType.UINT64: DType.U64,
    tflite.TensorType.BOOL: DType.BOOL,
}
_NAMES = {number: name for name, number in vars(tflite.TensorType).items() if isinstance(number, int)}
_QUANTISED = (DType.I8, DType.U8, DType.I16)
"""Element types that stand for reals; 32-bit and 64-bit ones are biases, whose scale follows from their layer."""
_MOST_ELEMENTS = 2**31
_NO_SCALE = float(np.finfo(np.float32).tiny)
"""What stands for the scale 0 of a channel that a converter found empty: its products all round to 0."""
_AGAIN = "convert the model again"


def tensor_type(record: TensorRecord, where: str) -> TensorType:
    """The type of a tensor.

    A channel with a negative scale, as converters make it of a folded normalisation, has a positive one here;
    `elements` negates its integers.

    Raises:
        InvalidModel: its shape or quantisation contradicts itself.
        UnsupportedModel: its elements are of a type that Stowage does not have.
    """
    dtype = _ELEMENTS.get(record.type)
    if dtype is None or record.is_sparse:
        kind = "sparse" if record.is_sparse else _NAMES.get(record.type, f"of the unknown type {record.type}")
        raise UnsupportedModel(
            where=where,
            reason=f"its elements are {kind}",
            remedy="convert the model with dense elements of 8 to 64 bits",
        )
    if any(extent < 0 for extent in record.shape) or math.prod(record.shape) * dtype.size_bytes >= _MOST_ELEMENTS:
        raise InvalidModel(where=where, reason=f"it has the shape {list(record.shape)}", remedy=_AGAIN)
    if record.quantisation is None or dtype not in _QUANTISED:
        return TensorType(record.shape, dtype)
    return TensorType(record.shape, dtype, _quant(record.quantisation, record.shape, dtype, where))


def _quant(given: Quantisation, shape: tuple[int, ...], dtype: DType, where: str) -> Quant:
    points = given.zero_points or (0,) * len(given.scales)
    limits = np.iinfo(dtype.numpy.name)
    alone = len(given.scales) == 1
    if len(points) == 1:
        points *= len(given.scales)
    scales = given.scales if alone else tuple(abs(scale) or _NO_SCALE for scale in given.scales)
    if not all(math.isfinite(scale) and scale > 0 for scale in scales):
        raise InvalidModel(where=where, reason="a scale of its quantisation is not positive and finite", remedy=_AGAIN)
    if len(points) != len(given.scales) or not all(limits.min <= point <= limits.max for point in points):
        raise InvalidModel(where=where, reason="its zero points do not suit its scales and type", remedy=_AGAIN)
    if not alone and shape[given.axis : given.axis + 1] != (len(given.scales),):
        reason = f"it has {len(given.scales)} scales for axis {given.axis} of the shape {list(shape)}"
        raise InvalidModel(where=where, reason=reason, remedy=_AGAIN)
    return Quant(scales, points, None if alone else given.axis)


def negative_channels(record: TensorRecord) -> tuple[int, ...]:
    """The entries along the quantised axis whose scale is negative."""
    scales = () if record.quantisation is None else record.quantisation.scales
    return tuple(index for index, scale in enumerate(scales) if scale < 0) if len(scales) > 1 else ()


def elements(data: Bytes, record: TensorRecord, type_: TensorType, where: str) -> Array:
    """The elements of a constant tensor, negated where their channel has a negative scale.

    Raises:
        InvalidModel: its buffer has more or fewer bytes than its shape.
        UnsupportedModel: an integer to negate is the lowest of its type.
    """
    if data.nbytes != type_.size_bytes:
        reason = f"its buffer has {data.nbytes} bytes, but its shape {list(type_.shape)} needs {type_.size_bytes}"
        raise InvalidModel(where=where, reason=reason, remedy=_AGAIN)
    array: Array = np.frombuffer(data.tobytes(), type_.dtype.numpy.newbyteorder("<")).astype(type_.dtype.numpy)
    if type_.dtype.is_float and np.isnan(array).any():
        raise InvalidModel(where=where, reason="it holds a NaN", remedy="train or convert the model again")
    return _negated(array.reshape(type_.shape), record, type_, where)


def _negated(array: Array, record: TensorRecord, type_: TensorType, where: str) -> Array:
    channels = negative_channels(record)
    if type_.quant is None or type_.quant.axis is None or not channels:
        return array
    chosen = (slice(None),) * type_.quant.axis + (list(channels),)
    negated = array.astype(np.int64)
    negated[chosen] = -negated[chosen]
    if any(type_.quant.zero_points) or negated.max(initial=0) > np.iinfo(type_.dtype.numpy.name).max:
        raise UnsupportedModel(
            where=where,
            reason="a channel with a negative scale has a zero point or the lowest integer of its type",
            remedy="convert it with integers from -127 to 127 and zero points of 0",
        )
    same: Array = negated.astype(array.dtype)
    return same
