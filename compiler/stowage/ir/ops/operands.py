# SPDX-License-Identifier: Apache-2.0
"""What shape rules ask of operands before they look at extents: how many there are, their ranks and their element
types."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.ops.op import ShapeError
from stowage.ir.tensor_type import TensorType

Operands = tuple[TensorType, ...]
EIGHT_BITS = (DType.I8, DType.U8)
_TIMES_BYTES = ((DType.I16, DType.I8), (DType.F32, DType.I8))
"""Inputs that are multiplied by 8-bit weights: those of products that 64-bit accumulators sum, and reals."""


def check_count(operands: Operands, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
    """Refuses operands that are fewer than the `required` names or more than all names."""
    if not len(required) <= len(operands) <= len(required) + len(optional):
        names = list(required) + [f"{name} (optional)" for name in optional]
        raise ShapeError(f"takes the operands {', '.join(names) or 'none'}, but has {len(operands)}")


def sole(operands: Operands) -> TensorType:
    """The operand of an operator that has one."""
    check_count(operands, ("input",))
    return operands[0]


def check_rank(name: str, operand: TensorType, rank: int, axes: str) -> None:
    """Refuses an operand whose rank is not `rank`; `axes` names the axes for the message."""
    if len(operand.shape) != rank:
        raise ShapeError(f"{name} has shape {list(operand.shape)}, but must be {axes}")


def check_axis(axis: int, operand: TensorType) -> None:
    """Refuses an axis that the operand does not have."""
    if not 0 <= axis < len(operand.shape):
        raise ShapeError(f"axis {axis} does not exist in the input of shape {list(operand.shape)}")


def check_real(name: str, operand: TensorType) -> None:
    """Refuses elements that are neither floating point nor integers that stand for reals."""
    if not operand.dtype.is_float and operand.quant is None:
        raise ShapeError(
            f"{name} has elements of type {operand.dtype.value} without quantisation, but reals are needed"
        )


def check_number(name: str, operand: TensorType) -> None:
    """Refuses truth values."""
    if operand.dtype is DType.BOOL:
        raise ShapeError(f"{name} has elements of type i1, but numbers are needed")


def check_alike(first: str, a: TensorType, second: str, b: TensorType) -> None:
    """Refuses two operands of different element types, or of which one alone is quantised."""
    if a.dtype != b.dtype:
        raise ShapeError(f"{first} has elements of type {a.dtype.value}, but {second} of type {b.dtype.value}")
    if (a.quant is None) != (b.quant is None):
        raise ShapeError(f"one of {first} and {second} is quantised and the other is not")


def check_weights(data: TensorType, weights: TensorType) -> None:
    """Refuses weights that do not go with the input: the same float type, or 8-bit ones where the input is float32 or
    quantised, to 8 bits or to int16."""
    check_real("input", data)
    check_real("weights", weights)
    if (data.dtype, weights.dtype) in _TIMES_BYTES:
        return
    if data.quant is None:
        check_alike("input", data, "weights", weights)
    for name, operand in (("input", data), ("weights", weights)):
        if data.quant is not None and operand.dtype not in EIGHT_BITS:
            raise ShapeError(
                f"{name} has elements of type {operand.dtype.value}, but quantised products need i8 or ui8"
            )


def check_bias(data: TensorType, bias: TensorType, channels: int) -> None:
    """Refuses a bias that is not one number of the accumulator's type an output channel."""
    if bias.shape != (channels,):
        raise ShapeError(f"bias has shape {list(bias.shape)}, but there are {channels} output channels")
    accumulator = DType.I64 if data.dtype is DType.I16 else DType.I32
    if bias.dtype != (accumulator if data.quant else data.dtype):
        raise ShapeError(
            f"bias has elements of type {bias.dtype.value}, which an input of type {data.dtype.value} cannot have"
        )


def check_groups(groups: int, channels: int, outputs: int, taken: int) -> None:
    """Refuses groups that do not divide the channels, and weights that do not take as many as a group has."""
    if groups < 1 or channels % groups or outputs % groups:
        raise ShapeError(f"{groups} groups do not divide {channels} input and {outputs} output channels")
    if taken * groups != channels:
        raise ShapeError(f"weights take {taken} channels in each of {groups} groups, but input has {channels}")
