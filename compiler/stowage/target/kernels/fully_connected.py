# SPDX-License-Identifier: Apache-2.0
"""Dense layers: fully_connected_s8.h and fully_connected_f32.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Node
from stowage.target.kernels.byte_weights import lower_byte_weights, takes_byte_weights
from stowage.target.kernels.call_parts import pointers
from stowage.target.kernels.float_output import float_output
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, KernelConstant, Overlap, Site
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.packing import packed, packing_for
from stowage.target.kernels.requantisation import product_requantisation
from stowage.target.kernels.rows_at_once import FLOAT_ROWS_AT_ONCE, rows_at_once
from stowage.target.kernels.weights import (
    BLOCK_CHANNELS,
    constant,
    float_bias,
    folded_bias,
    interleaved,
    symmetric_weights,
)
from stowage.target.kernels.window_walk import both_ways, last_block
from stowage.target.kernels.words import lower_words, takes_words


def lower_fully_connected(node: Node, site: Site) -> KernelCall:
    """The call for FullyConnected."""
    if takes_words(node):
        return lower_words(node, site)
    if takes_byte_weights(node):
        return lower_byte_weights(node, site)
    if kernel_type(node) is DType.F32:
        return dense_f32(node, site, constant(node.inputs[1], site, "weights"))
    return dense_s8(node, site, symmetric_weights(node, site))


def dense_s8(node: Node, site: Site, matrix: Array) -> KernelCall:
    """The call that multiplies the node's input, as vectors of its last axis, by int8 weights [channel, depth]."""
    output, at_once = product_requantisation(node, site.arithmetic), rows_at_once(site)
    packing = packing_for(site)
    return KernelCall(
        header="stowage/kernels/fully_connected_s8.h",
        function="stw_fully_connected_s8",
        parameters=(*_extents(node, matrix), ("at_once", at_once), ("packing", packing), *output.parameters),
        arguments=pointers(("int8_t",), "int8_t", ("int8_t", "int32_t", "int32_t", "int8_t")),
        constants=(
            KernelConstant("weights", packed(matrix, packing)),
            KernelConstant("bias", folded_bias(node, site, matrix)),
            *output.constants,
        ),
        overlaps=_overlaps(node, matrix, at_once),
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
        overlaps=_overlaps(node, matrix, FLOAT_ROWS_AT_ONCE),
    )


def _extents(node: Node, matrix: Array) -> tuple[tuple[str, int], ...]:
    channels, depth = matrix.shape
    return ("rows", _rows(node)), ("depth", depth), ("channels", channels), FORWARD


def _rows(node: Node) -> int:
    return math.prod(node.inputs[0].type.shape[:-1])


def _overlaps(node: Node, matrix: Array, at_once: int) -> tuple[Overlap, ...]:
    """Both ways, for kernels that make so many rows at once."""
    rows, (channels, depth) = _rows(node), matrix.shape

    def distance_elements(direction: Direction) -> int:
        return _lead(rows, channels, depth, at_once, direction)

    return both_ways(distance_elements, node.output.type.dtype.size_bytes)


def _lead(rows: int, channels: int, depth: int, at_once: int, direction: Direction) -> int:
    """The safe distance in elements where so many rows are taken at once, and the last of them alone.

    The last block of channels still reads the rows from their begin, when everything else of their output is written.
    Blocks of channels ascend even walking backward, where the lowest row is then written down to its first channel.
    """
    last = last_block(channels, BLOCK_CHANNELS)
    left = channels - last if direction is Direction.FORWARD else 0
    starts = range(0, rows, at_once)
    ends = (min(start + at_once, rows) * channels - left if last else start * channels for start in starts)
    return max(0, *(end - start * depth for start, end in zip(starts, ends, strict=True)))
