# SPDX-License-Identifier: Apache-2.0
"""A convolution and a sum in one: conv2d_add_s8.h and conv2d_add_f32.h."""

from __future__ import annotations

import math

from stowage.ir.graph import Node, Value
from stowage.ir.ops.residual import Conv2dAdd
from stowage.target.kernels.binary import lower_binary
from stowage.target.kernels.conv2d import lower_conv2d
from stowage.target.kernels.kernel import (
    Argument,
    Direction,
    KernelCall,
    NoKernel,
    Overlap,
    ParameterValue,
    Place,
    Site,
)
from stowage.target.kernels.rows_at_once import FLOAT_ROWS_AT_ONCE, rows_at_once

_CONVOLUTIONS = {"stw_conv2d_s8": "s8", "stw_conv2d_f32": "f32"}
_PLACES = ("extents", "a_strides", "b_strides")
"""Fields of a sum that say where elements lie."""

Fields = tuple[tuple[str, ParameterValue], ...]


def lower_conv2d_add(node: Node, site: Site) -> KernelCall:
    """The call for Conv2dAdd."""
    assert isinstance(node.op, Conv2dAdd)
    convolved, summed = parts(node)
    conv, add = lower_conv2d(convolved, site), lower_binary(summed, site)
    if conv.function not in _CONVOLUTIONS:
        raise NoKernel(f"a sum while {conv.function} makes its output")
    suffix, ctype = _CONVOLUTIONS[conv.function], conv.arguments[0].ctype
    at_once = rows_at_once(site) if suffix == "s8" else FLOAT_ROWS_AT_ONCE
    constants = [argument for argument in conv.arguments if argument.place is Place.CONSTANT]
    return KernelCall(
        header=f"stowage/kernels/conv2d_add_{suffix}.h",
        function=f"stw_conv2d_{add.function.removeprefix('stw_')}",
        parameters=(*_fields("conv", conv), *_fields("add", add)),
        arguments=(
            Argument(Place.INPUT, 0, ctype),
            Argument(Place.INPUT, 3, ctype),
            *constants,
            Argument(Place.SCRATCH, 0, ctype),
            Argument(Place.SCRATCH, 1, ctype),
            Argument(Place.OUTPUT, 0, ctype),
        ),
        constants=conv.constants,
        scratch_bytes=(*conv.scratch_bytes, _made_bytes(node, at_once)),
        overlaps=(
            *(each for each in conv.overlaps if each.direction is Direction.FORWARD),
            Overlap(3, 0),
        ),
    )


def parts(node: Node) -> tuple[Node, Node]:
    """The convolution and the sum as nodes of their own."""
    assert isinstance(node.op, Conv2dAdd)
    *operands, addend = node.inputs
    made = Value(f"{node.output.name}.made", node.op.made_type(tuple(value.type for value in operands)))
    convolved = Node(node.name, node.op.conv, tuple(operands), (made,))
    return convolved, Node(node.name, node.op.add, (made, addend), node.outputs)


def _made_bytes(node: Node, at_once: int) -> int:
    """What so many of the convolution's own pixels take until they are added."""
    shape, dtype = node.output.type.shape, node.output.type.dtype
    return min(at_once, math.prod(shape[:3])) * shape[3] * dtype.size_bytes


def _fields(part: str, call: KernelCall) -> Fields:
    return tuple((f"{part}.{name}", value) for name, value in call.parameters if name not in _PLACES)
