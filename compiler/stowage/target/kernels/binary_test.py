# SPDX-License-Identifier: Apache-2.0
"""Add, Sub, Mul and Div against the reference: every broadcasting, every element type, in place."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub
from stowage.target.kernels.axes import filled_up
from stowage.target.kernels.binary import BinaryOp, lower_binary
from stowage.target.kernels.call_parts import INTEGERS
from stowage.target.kernels.kernel import Direction, NoKernel, Overlap, Site
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_close,
    check_equal,
    check_overlaps,
    integers,
    operator_trial,
    reals,
    tensor,
)

Shapes = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
SHAPES = mutually_broadcastable_shapes(num_shapes=2, max_dims=8, max_side=3).map(
    lambda found: (*found.input_shapes, found.result_shape)
)
CASES = st.lists(st.tuples(SHAPES, st.integers(0, 2**32 - 1)), min_size=1, max_size=25)
MANY = settings(deadline=None, max_examples=25)


def quantised(op: BinaryOp, shapes: Shapes, seed: int) -> OperatorTrial:
    random = np.random.default_rng(seed)
    a, b, output = (
        tensor(shape, DType.I8, float(2.0 ** random.uniform(-9, 3)), int(random.integers(-128, 128)))
        for shape in shapes
    )
    return operator_trial(lower_binary, op, [(a, integers(random, a)), (b, integers(random, b))], result=output)


def plain(op: BinaryOp, dtype: DType, shapes: Shapes, seed: int) -> OperatorTrial:
    random = np.random.default_rng(seed)
    make = reals if dtype is DType.F32 else integers
    a, b = (tensor(shape, dtype) for shape in shapes[:2])
    return operator_trial(lower_binary, op, [(a, make(random, a)), (b, make(random, b))])


@MANY
@given(CASES, st.booleans(), st.sampled_from([None, (0.0, math.inf), (-1.0, 2.0)]))
def test_quantised_sum_and_difference_are_the_reference(
    cases: list[tuple[Shapes, int]], subtract: bool, clamp: tuple[float, float] | None
) -> None:
    op = Sub(clamp) if subtract else Add(clamp)
    check_equal([quantised(op, shapes, seed) for shapes, seed in cases])


@MANY
@given(CASES, st.sampled_from([None, (0.0, math.inf), (-1.0, 2.0)]))
def test_quantised_product_is_the_reference(cases: list[tuple[Shapes, int]], clamp: tuple[float, float] | None) -> None:
    check_equal([quantised(Mul(clamp), shapes, seed) for shapes, seed in cases])


@pytest.mark.parametrize("op", [Add(), Sub((-1.0, 2.0)), Mul((0.0, math.inf)), Div((-3.0, -1.0))])
@settings(deadline=None, max_examples=10)
@given(CASES)
def test_floats_are_within_rounding(op: BinaryOp, cases: list[tuple[Shapes, int]]) -> None:
    check_close([plain(op, DType.F32, shapes, seed) for shapes, seed in cases], relative=1e-6)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", [Add(), Sub(), Mul(), Div()])
@settings(deadline=None, max_examples=2)
@given(CASES)
def test_plain_integers_wrap(op: BinaryOp, dtype: DType, cases: list[tuple[Shapes, int]]) -> None:
    check_equal([plain(op, dtype, shapes, seed) for shapes, seed in cases])


@pytest.mark.parametrize("dtype", [DType.I8, DType.I16, DType.I32, DType.I64])
def test_division_by_zero_and_of_the_lowest_number(dtype: DType) -> None:
    lowest = np.iinfo(dtype.numpy.name).min
    type_ = tensor((6,), dtype)
    dividend = np.array([lowest, lowest, 7, -7, -7, 0], dtype.numpy)
    divisor = np.array([-1, 0, 0, 2, -2, 0], dtype.numpy)
    check_equal([operator_trial(lower_binary, Div(), [(type_, dividend), (type_, divisor)])], sanitise=True)


@pytest.mark.parametrize(
    ("op", "scale"),
    [(Add(), 2.0**-30), (Add(), 2.0**20), (Sub(), 2.0**-30), (Sub(), 2.0**20), (Mul(), 2.0**-14), (Mul(), 2.0**14)],
)
def test_extreme_scales_stay_in_32_bits(op: BinaryOp, scale: float) -> None:
    a, b = tensor((256,), DType.I8, scale, -128), tensor((256,), DType.I8, scale, 127)
    everything = np.arange(-128, 128).astype(np.int8)
    output = tensor((256,), DType.I8, 1.0, 5)
    operands = [(a, everything), (b, everything[::-1].copy())]
    check_equal([operator_trial(lower_binary, op, operands, result=output)], sanitise=True)


FULL = ((3, 4, 5), (3, 4, 5), (3, 4, 5))
PER_CHANNEL = ((3, 4, 5), (5,), (3, 4, 5))
PER_ROW = ((3, 4, 5), (4, 1), (3, 4, 5))
SCALAR = ((), (3, 4, 5), (3, 4, 5))
DISTANCES = [(FULL, (0, 0)), (PER_CHANNEL, (0, 11 * 5)), (PER_ROW, (0, 2 * 20 + 3 * 4)), (SCALAR, (0, 0))]


@pytest.mark.parametrize(("shapes", "elements"), DISTANCES)
def test_output_may_lie_over_operands(shapes: Shapes, elements: tuple[int, ...]) -> None:
    for trials in (
        [quantised(Mul(), shapes, 1)],
        [plain(Add(), DType.F32, shapes, 2)],
        [plain(Sub(), DType.I64, shapes, 3)],
    ):
        size = trials[0].node.output.type.dtype.size_bytes
        overlaps = trials[0].call.overlaps
        assert set(overlaps) == {
            Overlap(index, size * distance, direction)
            for index, distance in enumerate(elements)
            for direction in Direction
        }
    check_overlaps([plain(Add(), DType.F32, shapes, 2)])
    check_overlaps([plain(Sub(), DType.I64, shapes, 3)])


@settings(deadline=None, max_examples=60)
@given(CASES, st.sampled_from([DType.F32, DType.I64]))
def test_distances_are_exact_however_operands_are_repeated(cases: list[tuple[Shapes, int]], dtype: DType) -> None:
    check_overlaps([plain(Sub(), dtype, shapes, seed) for shapes, seed in cases])


def test_neighbouring_axes_are_one_row() -> None:
    def extents(*shapes: tuple[int, ...]) -> object:
        return dict(quantised(Add(), (*shapes, np.broadcast_shapes(*shapes)), 0).call.parameters)["extents"]  # type: ignore[arg-type]

    assert extents((2, 3, 4, 5), (2, 3, 4, 5)) == filled_up((120,), 1)
    assert extents((2, 3, 4, 5), (5,)) == filled_up((24, 5), 1)
    assert extents((2, 3, 4, 5), (2, 1, 1, 5)) == filled_up((2, 12, 5), 1)
    assert extents((2, 1), (1, 5)) == filled_up((2, 5), 1)
    assert extents((), (1, 1)) == filled_up((), 1)


@pytest.mark.parametrize(
    ("op", "dtype", "scale", "reason"),
    [
        (Div(), DType.I8, 0.5, "leave it in floats"),
        (Add(), DType.U8, 0.5, "add of ui8"),
        (Mul((0.0, 1.0)), DType.I32, None, "mul of i32"),
    ],
)
def test_refusals(op: BinaryOp, dtype: DType, scale: float | None, reason: str) -> None:
    type_ = tensor((2,), dtype, scale)
    node = Node("n", op, (Value("a", type_), Value("b", type_)), (Value("c", type_),))
    with pytest.raises(NoKernel, match=reason):
        lower_binary(node, Site({}, Arithmetic.ONNX))


def test_empty_output_is_refused() -> None:
    type_ = tensor((0, 3), DType.F32)
    node = Node("n", Add(), (Value("a", type_), Value("b", type_)), (Value("c", type_),))
    with pytest.raises(NoKernel, match="empty"):
        lower_binary(node, Site({}, Arithmetic.ONNX))
