# SPDX-License-Identifier: Apache-2.0
"""What the file says about a tensor's type: of graph inputs it is the truth, of all others a claim to check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from onnx import TensorShapeProto, TypeProto, ValueInfoProto

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.ir.dtype import DType
from stowage.ir.tensor_type import Quant, TensorType

LARGEST_TENSOR_BYTES = 2**31 - 1
"""Sizes and offsets are 32-bit in the generated C."""

LARGEST_RANK = 8


def input_type(info: ValueInfoProto, dimensions: Mapping[str, int], quant: Quant | None) -> TensorType:
    """The type of a graph input, dynamic dimensions replaced by the values given for their names.

    A dynamic dimension without a name goes by its input's name and its axis: `image.0`.

    Raises:
        UnsupportedModel: it is no tensor, its element type is not supported, or a dynamic dimension has no value.
    """
    where, dtype = f"input {info.name!r}", element_type(info)
    if not info.type.tensor_type.HasField("shape"):
        raise UnsupportedModel(where=where, reason="its shape is unknown", remedy="export the model with input shapes")
    names = dimension_names(info)
    extents = [
        _extent(dimension, name, dimensions, where)
        for dimension, name in zip(info.type.tensor_type.shape.dim, names, strict=True)
    ]
    type = TensorType(tuple(extents), dtype, quant if dtype in _QUANTISED else None)
    check_size(type, where)
    return type


def element_type(info: ValueInfoProto) -> DType:
    """The element type of a graph input.

    Raises:
        UnsupportedModel: it is no tensor, or its element type is not supported.
    """
    where = f"input {info.name!r}"
    return dtype_of(_tensor(info.type, where).elem_type, where)


_QUANTISED = (DType.I8, DType.U8, DType.I16, DType.U16, DType.I32)


def dimension_names(info: ValueInfoProto) -> list[str]:
    """For each axis of a graph input the name of its dynamic dimension; empty where the extent is fixed."""
    return [
        "" if _is_fixed(dimension) else dimension.dim_param or f"{info.name}.{axis}"
        for axis, dimension in enumerate(info.type.tensor_type.shape.dim)
    ]


def check_size(type: TensorType, where: str) -> None:
    """Refuses tensors with too many axes, and those that 32-bit offsets cannot reach."""
    check_rank(len(type.shape), where)
    if type.size_bytes > LARGEST_TENSOR_BYTES:
        raise UnsupportedModel(
            where=where,
            reason=f"a tensor of shape {list(type.shape)} takes {type.size_bytes} bytes, over {LARGEST_TENSOR_BYTES}",
            remedy="make it smaller",
        )


def check_rank(rank: int, where: str) -> None:
    """Refuses tensors with more axes than any operator has loops for."""
    if rank > LARGEST_RANK:
        raise UnsupportedModel(
            where=where, reason=f"a tensor has {rank} axes, over {LARGEST_RANK}", remedy="reshape it to fewer"
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """What the file says about a tensor that the model computes; None where it leaves something open."""

    dtype: DType
    extents: tuple[int | None, ...] | None

    def check(self, type: TensorType, where: str) -> None:
        """Refuses a claim that is wrong.

        Raises:
            InvalidModel: the tensor that is computed has another element type or shape.
        """
        if self.dtype is not type.dtype:
            raise _contradiction(where, f"element type {self.dtype.value}", f"is {type.dtype.value}")
        if self.extents is None:
            return
        same_rank = len(self.extents) == len(type.shape)
        if not same_rank or any(a not in (None, b) for a, b in zip(self.extents, type.shape, strict=True)):
            shown = "[" + ", ".join("?" if extent is None else str(extent) for extent in self.extents) + "]"
            raise _contradiction(where, f"shape {shown}", f"has shape {list(type.shape)}")


def claim_of(info: ValueInfoProto, dimensions: Mapping[str, int]) -> Claim | None:
    """The claim of a value_info or output entry; None where it claims nothing."""
    tensor = info.type.tensor_type
    if not tensor.elem_type:  # nor has a sequence one
        return None
    where = f"tensor {info.name!r}"
    extents: tuple[int | None, ...] | None = None
    if tensor.HasField("shape"):
        extents = tuple(
            dimension.dim_value if _is_fixed(dimension) else dimensions.get(dimension.dim_param)
            for dimension in tensor.shape.dim
        )
    return Claim(dtype_of(tensor.elem_type, where), extents)


def _tensor(type: TypeProto, where: str) -> TypeProto.Tensor:
    kind = type.WhichOneof("value")
    if kind == "tensor_type":
        return type.tensor_type
    if kind is None:
        raise InvalidModel(where=where, reason="its type is not given", remedy="export the model again")
    raise UnsupportedModel(
        where=where, reason=f"it is a {kind.removesuffix('_type')}, not a tensor", remedy="use plain tensors"
    )


def _is_fixed(dimension: TensorShapeProto.Dimension) -> bool:
    """Old exporters write a dynamic extent as -1."""
    return dimension.HasField("dim_value") and dimension.dim_value >= 0


def _extent(dimension: TensorShapeProto.Dimension, name: str, given: Mapping[str, int], where: str) -> int:
    if not name:
        return dimension.dim_value
    if name not in given:
        raise UnsupportedModel(
            where=where,
            reason=f"its dimension {name!r} is dynamic, but firmware needs a fixed one",
            remedy=f'give it a value: --dimension {name}=1, or dimensions = {{"{name}": 1}} in a BUILD file',
        )
    return given[name]


def _contradiction(where: str, claimed: str, found: str) -> InvalidModel:
    return InvalidModel(
        where=where,
        reason=f"the file declares {claimed}, but what the model computes {found}",
        remedy="run onnx.shape_inference over the model or export it again",
    )
