# SPDX-License-Identifier: Apache-2.0
"""Safe distances of products of two activations, by brute force on random shapes with batches that broadcast.

At the declared distance the output over an operand is the output beside it; one element less spoils it. Of int8
operands none is 0 and the output is the sum itself, so that every byte counts; several contents are tried, since one
byte may be overwritten by its like.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.ir.ops.linear import MatMul
from stowage.ir.tensor_type import TensorType
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel_trial import Trial, run_trials
from stowage.target.kernels.operator_trial import OperatorTrial, operator_trial, tensor

SHAPES, CONTENTS = 120, 6
TYPES = [DType.I8, DType.F32, DType.I32, DType.I64]
Shape = tuple[int, ...]


def shapes(random: np.random.Generator) -> tuple[Shape, Shape]:
    """Of two operands, with up to two batch axes along which either may be repeated."""
    rows, depth, columns = (int(extent) for extent in random.integers(1, (5, 6, 11)))
    batches = random.integers(1, 4, random.integers(0, 3))
    first, second = (np.where(random.random(batches.size) < 0.3, 1, batches) for _ in range(2))
    return (*map(int, first), rows, depth), (*map(int, second), depth, columns)


def trials(dtype: DType, seed: int) -> Iterator[list[OperatorTrial]]:
    """For each shape several contents."""
    random = np.random.default_rng(seed)
    for _ in range(SHAPES):
        types = [tensor(shape, dtype, 0.5 if dtype is DType.I8 else None) for shape in shapes(random)]
        yield [product(types, random) for _ in range(CONTENTS)]


def product(types: Sequence[TensorType], random: np.random.Generator) -> OperatorTrial:
    arrays = [contents(type_, random) for type_ in types]
    result = None
    if types[0].dtype is DType.I8:
        shape = np.matmul(*(np.empty(type_.shape) for type_ in types)).shape
        result = tensor(shape, DType.I8, 0.25)
    return operator_trial(lower, MatMul(), list(zip(types, arrays, strict=True)), result=result)


def contents(type_: TensorType, random: np.random.Generator) -> Array:
    if type_.dtype is DType.F32:
        return random.standard_normal(type_.shape).astype(np.float32)
    signs = 1 - 2 * random.integers(0, 2, type_.shape)
    made: Array = (random.integers(1, 5, type_.shape) * signs).astype(type_.dtype.numpy)
    return made


def outputs(made: list[Trial]) -> list[Array]:
    return [output for (output,) in run_trials(made)] if made else []


@pytest.mark.parametrize("dtype", TYPES)
def test_distances_are_safe_and_exact(dtype: DType) -> None:
    pairs = [(each, overlap) for each in trials(dtype, 1) for overlap in each[0].call.overlaps]
    alike = [(each, overlap) for group, overlap in pairs for each in group]
    apart = outputs([each.trial for each, _ in alike])
    over = outputs([each.over(overlap) for each, overlap in alike])
    for (each, overlap), beside, found in zip(alike, apart, over, strict=True):
        np.testing.assert_array_equal(found, beside, err_msg=f"{overlap} of {each.node}")
    closer = outputs([each.over(each.one_less(overlap)) for each, overlap in alike])
    checked = {0: 0, 1: 0}
    for number, (group, overlap) in enumerate(pairs):
        if overlap.distance_bytes > 0:
            places = range(number * CONTENTS, (number + 1) * CONTENTS)
            spoiled = any(not np.array_equal(apart[place], closer[place]) for place in places)
            assert spoiled, f"{overlap} is more than {group[0].node} needs"
            checked[overlap.input] += 1
    assert min(checked.values()) > SHAPES / 3


def test_a_wide_product_lies_over_its_first_operand() -> None:
    """Each of 100 rows of 25 is written while the 8 elements that it is made of are still read."""
    types = [tensor((4, 25, 8), DType.F32), tensor((4, 8, 25), DType.F32)]
    call = product(types, np.random.default_rng(2)).call
    first, second = (overlap.distance_bytes // 4 for overlap in call.overlaps)
    assert first == 99 * (25 - 8) + 24
    assert second == 99 * 25 - 3 * 8 * 25
