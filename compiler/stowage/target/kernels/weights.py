# SPDX-License-Identifier: Apache-2.0
"""Constant weights and biases in the form that the matrix kernels read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array, Node, Value
from stowage.ir.product_scale import product_rounding
from stowage.target.kernels.call_parts import per_tensor
from stowage.target.kernels.kernel import NoKernel, Site
from stowage.target.kernels.requantisation import ACCUMULATOR_LIMITS

BLOCK_CHANNELS = 4
"""STW_BLOCK_CHANNELS: channels made at once; those that are left over are made one by one."""


def constant(value: Value, site: Site, what: str) -> Array:
    """The array of an operand that has to be constant.

    Raises:
        NoKernel: it is computed at run time; `what` says which operand that is.
    """
    if value.name not in site.constants:
        raise NoKernel(f'{what} "{value.name}" are not constant')
    return site.constants[value.name]


def symmetric_weights(node: Node, site: Site) -> NDArray[np.int8]:
    """The int8 weights of a quantised node, whose zero points have to be 0."""
    weights = node.inputs[1]
    if weights.type.quant is None or any(weights.type.quant.zero_points):
        raise NoKernel(f'weights "{weights.name}" have a zero point other than 0')
    return constant(weights, site, "weights").astype(np.int8)


def interleaved(matrix: Array) -> Array:
    """A matrix [channel, depth] as [channel / 4][depth][4], then the other channels."""
    channels, depth = matrix.shape
    blocked = channels - channels % BLOCK_CHANNELS
    blocks = matrix[:blocked].reshape(-1, BLOCK_CHANNELS, depth).swapaxes(1, 2)
    return np.concatenate([blocks.ravel(), matrix[blocked:].ravel()])


def float_bias(node: Node, site: Site, channels: int) -> Array:
    """The bias of a float node, zeros where it has none."""
    if len(node.inputs) < 3:
        return np.zeros(channels, np.float32)
    return constant(node.inputs[2], site, "biases")


def folded_bias(node: Node, site: Site, matrix: Array) -> NDArray[np.int32]:
    """The int32 bias less input zero point * sum of weights, which turns sums of products of raw inputs into real ones.

    Args:
        node: a node with input, weights and optional bias; its input is quantised per tensor.
        site: where its constants are.
        matrix: weights as [channel, depth].

    Raises:
        NoKernel: some accumulator could reach 2^30, or 2^31 where they are rounded twice.
    """
    wide = matrix.astype(np.int64)
    bias = constant(node.inputs[2], site, "biases") if len(node.inputs) > 2 else np.zeros(len(matrix))
    folded: NDArray[np.int64] = bias.astype(np.int64) - per_tensor(node.inputs[0]).zero_point * wide.sum(axis=1)
    bound = int((np.abs(folded) + 128 * np.abs(wide).sum(axis=1)).max(initial=0))
    limit = ACCUMULATOR_LIMITS[product_rounding(node.op, site.arithmetic)]
    if bound >= limit:
        raise NoKernel(f"weights and bias allow accumulators up to {bound}, and kernels take less than {limit}")
    return folded.astype(np.int32)
