# SPDX-License-Identifier: Apache-2.0
"""Permutations of axes, as Transpose has them: axis k of the result is axis permutation[k] of the operand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

from stowage.ir.tensor_type import TensorType

Permutation = tuple[int, ...]
T = TypeVar("T")


def identity(rank: int) -> Permutation:
    """The permutation that leaves every axis where it is."""
    return tuple(range(rank))


@cache
def composed(first: Permutation, second: Permutation) -> Permutation:
    """The one Transpose that does what `first` and then `second` do."""
    return tuple(first[axis] for axis in second)


@cache
def inverse(permutation: Permutation) -> Permutation:
    """The Transpose that undoes `permutation`."""
    return tuple(permutation.index(axis) for axis in range(len(permutation)))


def permuted(entries: Sequence[T], permutation: Permutation) -> tuple[T, ...]:
    """Entries that stand one an axis, after the Transpose."""
    return tuple(entries[axis] for axis in permutation)


def moves_nothing(shape: tuple[int, ...], permutation: Permutation) -> bool:
    """Whether the Transpose moves extents of one alone, so that a Reshape does the same."""
    moved = [axis for axis in permutation if shape[axis] != 1]
    return moved == sorted(moved) or 0 in shape


def permuted_type(type_: TensorType, permutation: Permutation) -> TensorType:
    """A tensor's type after the Transpose."""
    quant = type_.quant
    if quant is not None and quant.axis is not None:
        quant = replace(quant, axis=permutation.index(quant.axis))
    return TensorType(permuted(type_.shape, permutation), type_.dtype, quant)
