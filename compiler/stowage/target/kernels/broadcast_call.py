# SPDX-License-Identifier: Apache-2.0
"""What the calls of all kernels that broadcast share: extents of the output, strides of the operands, overlaps."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Node
from stowage.target.kernels.axes import Extents, Strides, filled_up, merged, row_major_strides
from stowage.target.kernels.call_parts import CTYPES, pointers
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, Overlap, ParameterValue
from stowage.target.kernels.overlaps import strided_distance_bytes

Fields = tuple[tuple[str, ParameterValue], ...]


def broadcast_shape(node: Node, names: tuple[str, ...]) -> Fields:
    """The fields `extents` and `<name>_strides` of each operand."""
    extents, strides = _walk(node)
    steps = tuple((f"{name}_strides", filled_up(own, 0)) for name, own in zip(names, strides, strict=True))
    return (("extents", filled_up(extents, 1)), *steps)


def binary_call(node: Node, header: str, function: str, fields: Fields) -> KernelCall:
    """The call of a kernel of the frame binary.h."""
    return KernelCall(
        header=f"stowage/kernels/{header}",
        function=function,
        parameters=(*broadcast_shape(node, ("a", "b")), FORWARD, *fields),
        arguments=pointers(tuple(CTYPES[value.type.dtype] for value in node.inputs), CTYPES[node.output.type.dtype]),
        overlaps=tuple(replace(each, direction=way) for each in overlaps(node) for way in Direction),
    )


def overlaps(node: Node, *, rereads: bool = False) -> tuple[Overlap, ...]:
    """How far the output may lie over each of the operands: a repeated one has to outlast the writing of what comes
    before its last reading. Turned round, the walk meets the same extents and strides.

    Args:
        node: the node.
        rereads: whether the kernel reads an operand that is repeated along a row again for every element of the row.
    """
    extents, strides = _walk(node)
    size = node.output.type.dtype.size_bytes
    written = tuple(size * step for step in row_major_strides(extents))
    return tuple(
        Overlap(index, _distance_bytes(extents, written, own, value.type.dtype.size_bytes, rereads))
        for index, (value, own) in enumerate(zip(node.inputs, strides, strict=True))
    )


def _distance_bytes(extents: Strides, written: Strides, strides: Strides, size: int, rereads: bool) -> int:
    if extents and strides[-1] == 0 and not rereads:
        extents, written, strides = extents[:-1], written[:-1], strides[:-1]
    return strided_distance_bytes(extents, written, tuple(size * step for step in strides))


def _walk(node: Node) -> tuple[Extents, tuple[Strides, ...]]:
    """Extents of the walk over the output, and the strides of each operand along it."""
    shape = node.output.type.shape
    return merged(shape, *(_strides(value.type.shape, shape) for value in node.inputs))


def _strides(shape: tuple[int, ...], output: tuple[int, ...]) -> tuple[int, ...]:
    """An operand's strides along the output's axes: 0 where it is repeated."""
    own = [0 if extent == 1 else step for extent, step in zip(shape, row_major_strides(shape), strict=True)]
    return (0,) * (len(output) - len(shape)) + tuple(own)
