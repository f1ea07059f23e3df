# SPDX-License-Identifier: Apache-2.0
"""Dense layers: fully_connected_s8.h and fully_connected_f32.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Node
from stowage.target.kernels.call_parts import pointers
from stowage.target.kernels.float_output import float_output
from stowage.target.kernels.kernel import KernelCall, KernelConstant, Site
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.requantisation import product_requantisation
from stowage.target.kernels.weights import constant, float_bias, folded_bias, interleaved, symmetric_weights


def lower_fully_connected(node: Node, site: Site) -> KernelCall:
    """The call for FullyConnected."""
    if kernel_type(node) is DType.F32:
        return dense_f32(node, site, constant(node.inputs[1], site, "weights"))
    return dense_s8(node, site, symmetric_weights(node, site))


def dense_s8(node: Node, site: Site, matrix: Array) -> KernelCall:
    """The call that multiplies the node's input, as vectors of its last axis, by int8 weights [channel, depth]."""
    output = product_requantisation(node, site.arithmetic)
    return KernelCall(
        header="stowage/kernels/fully_connected_s8.h",
        function="stw_fully_connected_s8",
        parameters=(*_extents(node, matrix), *output.parameters),
        arguments=pointers(("int8_t",), "int8_t", ("int8_t", "int32_t", "int32_t", "int8_t")),
        constants=(
            KernelConstant("weights", interleaved(matrix)),
            KernelConstant("bias", folded_bias(node, site, matrix)),
            *output.constants,
        ),
    )


def dense_f32(node: Node, site: Site, matrix: Array) -> KernelCall:
    """The same for float32."""
    return KernelCall(
        header="stowage/kernels/fully_connected_f32.h",
        function="stw_fully_connected_f32",
        parameters=(*_extents(node, matrix), *float_output(getattr(node.op, "clamp", None))),
        arguments=pointers(("float",), "float", ("float", "float")),
        constants=(
            KernelConstant("weights", interleaved(matrix)),
            KernelConstant("bias", float_bias(node, site, len(matrix))),
        ),
    )


def _extents(node: Node, matrix: Array) -> tuple[tuple[str, int], ...]:
    channels, depth = matrix.shape
    return ("rows", math.prod(node.inputs[0].type.shape[:-1])), ("depth", depth), ("channels", channels)
