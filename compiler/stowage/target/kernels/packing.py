# SPDX-License-Identifier: Apache-2.0
"""How the weights of int8 matrix kernels lie in memory: as the core multiplies them best (core/matrix_s8.h)."""

from __future__ import annotations

import enum

import numpy as np

from stowage.ir.graph import Array
from stowage.target.kernels.kernel import Site
from stowage.target.kernels.weights import BLOCK_CHANNELS, interleaved


class Packing(enum.IntEnum):
    """The parameter `packing` of a kernel: how four channels of a matrix [channel, depth] lie."""

    SINGLY = 0
    """Depth by depth, the four channels of each: core/dot_s8.h, any core."""
    PAIRS = 1
    """Four depths at a time, for multiplications of pairs: core/dot_pairs_s8.h, the DSP extension."""
    VECTORS = 2
    """Sixteen depths at a time, channel by channel: core/dot_vectors_s8.h, MVE."""


_GROUP_DEPTH = {Packing.PAIRS: 4, Packing.VECTORS: 16}


def packing_for(site: Site) -> Packing:
    """What the core has instructions for."""
    if "mve" in site.features:
        return Packing.VECTORS
    return Packing.PAIRS if "dsp" in site.features else Packing.SINGLY


def packed(matrix: Array, packing: Packing) -> Array:
    """A matrix [channel, depth] as kernels read it: blocks of four channels, then the other channels one by one."""
    if packing is Packing.SINGLY:
        return interleaved(matrix)
    channels, depth = matrix.shape
    blocked = channels - channels % BLOCK_CHANNELS
    grouped = depth - depth % _GROUP_DEPTH[packing]
    blocks = matrix[:blocked].reshape(-1, BLOCK_CHANNELS, depth)
    groups = _grouped(blocks[:, :, :grouped], packing)
    rest = blocks[:, :, grouped:]
    last = rest if packing is Packing.VECTORS else rest.swapaxes(1, 2)
    whole = np.concatenate(
        [each.reshape(len(blocks), each.size // max(1, len(blocks))) for each in (groups, last)], axis=1
    )
    return np.concatenate([whole.ravel(), matrix[blocked:].ravel()])


def _grouped(blocks: Array, packing: Packing) -> Array:
    """Blocks [block, channel, depth] in groups of depths: a group's bytes are the last axes."""
    count, channels, depth = blocks.shape
    if packing is Packing.VECTORS:
        return blocks.reshape(count, channels, depth // 16, 16).swapaxes(1, 2)
    return blocks.reshape(count, 2, 2, depth // 4, 2, 2).transpose(0, 3, 5, 1, 4, 2)
