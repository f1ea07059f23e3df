# SPDX-License-Identifier: Apache-2.0
"""Parts that lowerings of all families build their calls from."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.requantise import Rounding
from stowage.ir.tensor_type import Quant
from stowage.target.kernels.kernel import Argument, NoKernel, Place

CTYPES = {
    DType.F16: "uint16_t",
    DType.F32: "float",
    DType.I8: "int8_t",
    DType.I16: "int16_t",
    DType.I32: "int32_t",
    DType.I64: "int64_t",
    DType.U8: "uint8_t",
    DType.U16: "uint16_t",
    DType.U32: "uint32_t",
    DType.U64: "uint64_t",
    DType.BOOL: "uint8_t",
}
"""The C type of an element; a 16-bit float is held as its bits."""

SUFFIXES = {
    DType.F16: "f16",
    DType.F32: "f32",
    DType.I8: "s8",
    DType.I16: "s16",
    DType.I32: "s32",
    DType.I64: "s64",
    DType.U8: "u8",
    DType.U16: "u16",
    DType.U32: "u32",
    DType.U64: "u64",
    DType.BOOL: "b8",
}
"""How the names of C functions say an element type."""

INTEGERS = (DType.I8, DType.I16, DType.I32, DType.I64, DType.U8, DType.U16, DType.U32, DType.U64)
"""Types that plain integers may have."""

ROUNDINGS = {Rounding.ONCE: 0, Rounding.TWICE: 1, Rounding.AWAY: 2}
"""STW_ROUNDING_SINGLE, STW_ROUNDING_DOUBLE and STW_ROUNDING_AWAY of core/requantise.h."""


def word(value: Value) -> str:
    """The unsigned C type as large as an element, for kernels that move elements without looking at them."""
    return f"uint{8 * value.type.dtype.size_bytes}_t"


def bits_suffix(value: Value) -> str:
    """How the names of functions on bits say the type of elements: truth values, or words of their size."""
    return SUFFIXES[DType.BOOL] if value.type.dtype is DType.BOOL else f"u{8 * value.type.dtype.size_bytes}"


def pointers(inputs: tuple[str, ...], output: str, constants: tuple[str, ...] = ()) -> tuple[Argument, ...]:
    """Arguments of the usual kernel, given C element types: all inputs, then constants, then the output."""
    return (
        *(Argument(Place.INPUT, index, ctype) for index, ctype in enumerate(inputs)),
        *(Argument(Place.CONSTANT, index, ctype) for index, ctype in enumerate(constants)),
        Argument(Place.OUTPUT, 0, output),
    )


def require_elements(node: Node) -> None:
    """Refuses a node of which an output is empty; kernels take extents of at least 1."""
    for value in node.outputs:
        if value.type.elements == 0:
            raise NoKernel(f"the output of shape {list(value.type.shape)} is empty")


def per_tensor(value: Value) -> Quant:
    """The quantisation of a tensor that has one scale.

    Raises:
        NoKernel: the tensor is not quantised, or along an axis.
    """
    quant = value.type.quant
    if quant is None:
        raise NoKernel(f'"{value.name}" is {value.type.dtype.value} without a quantisation')
    if len(quant.scales) != 1:
        raise NoKernel(f'"{value.name}" has {len(quant.scales)} scales along axis {quant.axis}, not one')
    return quant
