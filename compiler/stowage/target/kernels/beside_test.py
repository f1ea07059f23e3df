# SPDX-License-Identifier: Apache-2.0
"""Layers beside a tensor in each pixel: to the bit what they make alone, with exact safe distances over the tensor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Graph, Value
from stowage.ir.ops.beside import Beside
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import AveragePool2d, Conv2d, MaxPool2d
from stowage.ir.reference import run
from stowage.ir.tensor_type import TensorType
from stowage.target.kernels.beside import call_beside, can_lie_beside, node_beside
from stowage.target.kernels.conv_transpose import lower_conv_transpose
from stowage.target.kernels.kernel import Direction
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_overlaps,
    distinct,
    integers,
    operator_trial,
    reals,
    results,
    tensor,
)
from stowage.target.kernels.random_window import RandomWindow

KINDS: list[type[Op]] = [AveragePool2d, Conv2d, ConvTranspose2d, FullyConnected, MaxPool2d]
CASES = [(kind, dtype, features) for kind in KINDS for dtype, features in ((DType.F32, ""), (DType.I8, ""))]
CASES += [(kind, DType.I8, "thumb1") for kind in (Conv2d, ConvTranspose2d, FullyConnected)]
SHAPES = 100
LEGIBLE = {DType.F32: (2, 3, 5, 8), DType.I8: (2, 3, 5, 6, 9)}
"""Channels of which a pixel is not copied at once, so that it spoils itself where it moves the wrong way."""


def alone(kind: type[Op], dtype: DType, features: str, seed: int) -> Iterator[OperatorTrial]:
    """Random layers that can lie beside something, as they are alone."""
    random, known = np.random.default_rng(seed), frozenset({features} - {""})
    if kind is ConvTranspose2d:
        yield from (transposed(random, dtype, known) for _ in range(SHAPES))
        return
    for each in RandomWindow(random, dtype, features=known).trials(kind, SHAPES):
        if can_lie_beside(each.node, each.call):
            yield each


def transposed(random: np.random.Generator, dtype: DType, features: frozenset[str]) -> OperatorTrial:
    """A random transposed convolution."""
    groups, made, taken = (int(random.integers(1, 4)) for _ in range(3))
    height, width, down, across, tall, wide = (int(each) for each in random.integers(1, 4, 6))
    pads = int(random.integers(0, tall)), int(random.integers(0, wide))
    size = (height - 1) * down + tall - pads[0], (width - 1) * across + wide - pads[1]
    op = ConvTranspose2d(size, (down, across), pads, groups=groups)
    shapes = (int(random.integers(1, 3)), height, width, groups * taken), (groups * made, tall, wide, taken)
    bias = TensorType((groups * made,), DType.I32 if dtype is DType.I8 else dtype)
    if dtype is DType.F32:
        types = [TensorType(shape, dtype) for shape in shapes]
        operands = [(each, reals(random, each)) for each in (*types, bias)]
        return operator_trial(lower_conv_transpose, op, operands)
    types = [tensor(shape, dtype, 0.05, zero) for shape, zero in zip(shapes, (3, 0), strict=True)]
    operands = [(each, integers(random, each)) for each in types]
    operands.append((bias, random.integers(-999, 999, bias.shape, np.int32)))
    result = tensor((shapes[0][0], *size, groups * made), dtype, 0.4, -5)
    return operator_trial(
        lambda node, site: lower_conv_transpose(node, replace(site, features=features)),
        op,
        operands,
        result=result,
        constants=(1, 2),
    )


def beside(each: OperatorTrial, random: np.random.Generator, channels: Sequence[int]) -> OperatorTrial:
    """The layer of a trial beside a tensor of one of these numbers of channels."""
    type_ = each.node.output.type
    kept = Value("kept", replace(type_, shape=(*type_.shape[:-1], int(random.choice(channels)))))
    shape = (*type_.shape[:-1], type_.shape[-1] + kept.type.shape[-1])
    node = node_beside(
        each.node, kept, Value("whole", replace(type_, shape=shape)), made_first=bool(random.integers(2))
    )
    arrays = (*each.arrays, distinct(random, kept.type))
    named = dict(zip((value.name for value in node.inputs), arrays, strict=True))
    expected = run(Graph("trial", node.inputs, node.outputs, (node,)), named)["whole"]
    return OperatorTrial(node, call_beside(node, each.call), arrays, expected)


def groups(trials: Sequence[OperatorTrial]) -> list[list[OperatorTrial]]:
    """Those together that call one function."""
    by_function: dict[tuple[str, int], list[OperatorTrial]] = defaultdict(list)
    for each in trials:
        by_function[each.call.function, len(each.node.inputs)].append(each)
    return list(by_function.values())


@pytest.mark.parametrize(("kind", "dtype", "features"), CASES)
def test_what_is_made_and_what_is_kept_are_both_whole(kind: type[Op], dtype: DType, features: str) -> None:
    for group in groups(list(alone(kind, dtype, features, 1))):
        random = np.random.default_rng(2)
        wide = [beside(each, random, range(1, 10)) for each in group]
        pairs = zip(group, wide, results(group), results(wide, sanitise=True), strict=True)
        for narrow, whole, made, output in pairs:
            check_whole(whole, made, output)
            check_whole(whole, narrow.expected, whole.expected)


def check_whole(whole: OperatorTrial, made: Array, output: Array) -> None:
    """The pixels of an output are those that are made and those that are kept."""
    op, kept = whole.node.op, whole.arrays[-1]
    assert isinstance(op, Beside)
    assert output.tobytes() == np.concatenate([made, kept] if op.made_first else [kept, made], axis=-1).tobytes()
    assert op.result_types(tuple(value.type for value in whole.node.inputs)) == (whole.node.output.type,)


@pytest.mark.parametrize(("kind", "dtype"), [(kind, dtype) for kind in KINDS for dtype in (DType.F32, DType.I8)])
def test_distances_over_what_is_kept_are_exact(kind: type[Op], dtype: DType) -> None:
    for group in groups(list(alone(kind, dtype, "", 3))):
        random = np.random.default_rng(4)
        wide = [beside(each, random, LEGIBLE[dtype]) for each in group]
        assert all({o.direction for o in each.call.overlaps} == set(Direction) for each in wide)
        assert all({o.input for o in each.call.overlaps} == {len(each.node.inputs) - 1} for each in wide)
        check_overlaps(wide)
