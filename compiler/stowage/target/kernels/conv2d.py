# SPDX-License-Identifier: Apache-2.0
"""Convolution: conv2d_s8.h and conv2d_f32.h; where windows are adjacent pixels it is a dense layer over pixels."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Node
from stowage.ir.ops.window import Conv2d
from stowage.target.kernels.byte_weights import lower_byte_weights, takes_byte_weights
from stowage.target.kernels.call_parts import per_tensor
from stowage.target.kernels.conv3d import lower_conv3d
from stowage.target.kernels.float_output import float_output
from stowage.target.kernels.fully_connected import dense_f32, dense_s8
from stowage.target.kernels.kernel import (
    FORWARD,
    Argument,
    Direction,
    KernelCall,
    KernelConstant,
    Overlap,
    Place,
    Site,
)
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.packing import packed, packing_for
from stowage.target.kernels.requantisation import product_requantisation
from stowage.target.kernels.rows_at_once import FLOAT_ROWS_AT_ONCE, rows_at_once
from stowage.target.kernels.weights import constant, float_bias, folded_bias, interleaved, symmetric_weights
from stowage.target.kernels.window_parameters import window_parameters
from stowage.target.kernels.window_walk import both_ways, gathered_lead, pixels_before
from stowage.target.kernels.words import lower_words, takes_words


def lower_conv2d(node: Node, site: Site) -> KernelCall:
    """The call for Conv2d."""
    if takes_words(node):
        return lower_words(node, site)
    if takes_byte_weights(node):
        return lower_byte_weights(node, site)
    if kernel_type(node) is DType.F32:
        if not all(value.name in site.constants for value in node.inputs[1:]):
            return lower_conv3d(node, site)
        weights = constant(node.inputs[1], site, "weights")
        return dense_f32(node, site, _matrix(weights)) if _is_dense(node) else _lower_f32(node, site, weights)
    weights = symmetric_weights(node, site)
    return dense_s8(node, site, _matrix(weights)) if _is_dense(node) else _lower_s8(node, site, weights)


def _op(node: Node) -> Conv2d:
    assert isinstance(node.op, Conv2d)
    return node.op


def _is_dense(node: Node) -> bool:
    op = _op(node)
    return node.inputs[1].type.shape[1:3] == op.strides == (1, 1) and not any(op.pads) and op.groups == 1


def _matrix(weights: Array) -> Array:
    return weights.reshape(len(weights), -1)


def _lower_s8(node: Node, site: Site, weights: Array) -> KernelCall:
    op = _op(node)
    output, at_once = product_requantisation(node, site.arithmetic), rows_at_once(site)
    packing = packing_for(site)
    return KernelCall(
        header="stowage/kernels/conv2d_s8.h",
        function="stw_conv2d_s8",
        parameters=(
            *window_parameters(node, op, (weights.shape[1], weights.shape[2])),
            ("groups", op.groups),
            FORWARD,
            ("at_once", at_once),
            ("packing", packing),
            ("input_zero_point", per_tensor(node.inputs[0]).zero_point),
            *output.parameters,
        ),
        arguments=_arguments("int8_t", ("int8_t", "int32_t", "int32_t", "int8_t")),
        constants=(
            KernelConstant("weights", _by_group(weights, op.groups, lambda matrix: packed(matrix, packing))),
            KernelConstant("bias", folded_bias(node, site, _matrix(weights))),
            *output.constants,
        ),
        scratch_bytes=(_patch_elements(node, at_once),),
        overlaps=_overlaps(node, at_once),
    )


def _lower_f32(node: Node, site: Site, weights: Array) -> KernelCall:
    op = _op(node)
    return KernelCall(
        header="stowage/kernels/conv2d_f32.h",
        function="stw_conv2d_f32",
        parameters=(
            *window_parameters(node, op, (weights.shape[1], weights.shape[2])),
            ("groups", op.groups),
            FORWARD,
            *float_output(op.clamp),
        ),
        arguments=_arguments("float", ("float", "float")),
        constants=(
            KernelConstant("weights", _by_group(weights, op.groups, interleaved)),
            KernelConstant("bias", float_bias(node, site, len(weights))),
        ),
        scratch_bytes=(4 * _patch_elements(node, FLOAT_ROWS_AT_ONCE),),
        overlaps=_overlaps(node, FLOAT_ROWS_AT_ONCE),
    )


def _overlaps(node: Node, at_once: int) -> tuple[Overlap, ...]:
    """Both ways, for kernels that gather so many windows at once."""
    kernel = node.inputs[1].type.shape[1], node.inputs[1].type.shape[2]
    written, read = node.output.type.shape[3], node.inputs[0].type.shape[3]

    def distance_elements(direction: Direction) -> int:
        return gathered_lead(pixels_before(node, _op(node), kernel, direction), written, read, at_once)

    return both_ways(distance_elements, node.output.type.dtype.size_bytes)


def _arguments(element: str, constants: tuple[str, ...]) -> tuple[Argument, ...]:
    return (
        Argument(Place.INPUT, 0, element),
        *(Argument(Place.CONSTANT, index, ctype) for index, ctype in enumerate(constants)),
        Argument(Place.SCRATCH, 0, element),
        Argument(Place.OUTPUT, 0, element),
    )


def _by_group(weights: Array, groups: int, packed_matrix: Callable[[Array], Array]) -> Array:
    """Weights [O, KH, KW, I / groups] as one packed matrix a group."""
    matrices = weights.reshape(groups, len(weights) // groups, -1)
    return np.concatenate([packed_matrix(matrix) for matrix in matrices])


def _patch_elements(node: Node, at_once: int) -> int:
    """Elements of the windows that the kernel gathers at once."""
    channels = node.inputs[0].type.shape[3]
    pixels = math.prod(node.output.type.shape[:3])
    return min(at_once, pixels) * math.prod(node.inputs[1].type.shape[1:3]) * channels
