# SPDX-License-Identifier: Apache-2.0
"""Operators that gather a whole axis into one number, or weigh each element by its axis. Axes are non-negative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op


@dataclass(frozen=True, slots=True)
class ReduceMean(Op):
    """Mean over `axes`, which stay as extents of one if `keepdims`. Global average pooling is this over H and W."""

    mnemonic: ClassVar[str] = "reduce_mean"
    axes: tuple[int, ...]
    keepdims: bool = True


@dataclass(frozen=True, slots=True)
class Softmax(Op):
    """exp(x - max) / sum(exp(x - max)) along one axis."""

    mnemonic: ClassVar[str] = "softmax"
    axis: int


@dataclass(frozen=True, slots=True)
class ArgMax(Op):
    """Index (i64) of the largest element along an axis: the first of equals, or the last if asked."""

    mnemonic: ClassVar[str] = "arg_max"
    axis: int
    keepdims: bool = True
    select_last_index: bool = False


@dataclass(frozen=True, slots=True)
class BatchNormalization(Op):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias along `axis`: inputs x, scale, bias, mean, variance.

    It exists between importer and passes alone: folded into a neighbour, or made a Mul and an Add.
    """

    mnemonic: ClassVar[str] = "batch_normalization"
    axis: int
    epsilon: float = 1e-5
