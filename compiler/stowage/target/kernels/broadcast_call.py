# SPDX-License-Identifier: Apache-2.0
"""What the calls of all kernels that broadcast share: extents of the output, strides of the operands, overlaps."""

from __future__ import annotations

from stowage.ir.graph import Node
from stowage.target.kernels.axes import filled_up, merged, row_major_strides
from stowage.target.kernels.call_parts import CTYPES, pointers
from stowage.target.kernels.kernel import KernelCall, Overlap, ParameterValue

Fields = tuple[tuple[str, ParameterValue], ...]


def broadcast_shape(node: Node, names: tuple[str, ...]) -> Fields:
    """The fields `extents` and `<name>_strides` of each operand."""
    shape = node.output.type.shape
    extents, strides = merged(shape, *(_strides(value.type.shape, shape) for value in node.inputs))
    steps = tuple((f"{name}_strides", filled_up(own, 0)) for name, own in zip(names, strides, strict=True))
    return (("extents", filled_up(extents, 1)), *steps)


def binary_call(node: Node, header: str, function: str, fields: Fields) -> KernelCall:
    """The call of a kernel of the frame binary.h."""
    return KernelCall(
        header=f"stowage/kernels/{header}",
        function=function,
        parameters=(*broadcast_shape(node, ("a", "b")), *fields),
        arguments=pointers(tuple(CTYPES[value.type.dtype] for value in node.inputs), CTYPES[node.output.type.dtype]),
        overlaps=overlaps(node),
    )


def overlaps(node: Node) -> tuple[Overlap, ...]:
    """The output may lie over operands of its shape whose elements are no smaller than its own."""
    size, elements = node.output.type.dtype.size_bytes, node.output.type.elements
    return tuple(
        Overlap(index, 0)
        for index, value in enumerate(node.inputs)
        if value.type.elements == elements and value.type.dtype.size_bytes >= size
    )


def _strides(shape: tuple[int, ...], output: tuple[int, ...]) -> tuple[int, ...]:
    """An operand's strides along the output's axes: 0 where it is repeated."""
    own = [0 if extent == 1 else step for extent, step in zip(shape, row_major_strides(shape), strict=True)]
    return (0,) * (len(output) - len(shape)) + tuple(own)
