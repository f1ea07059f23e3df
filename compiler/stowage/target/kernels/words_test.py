# SPDX-License-Identifier: Apache-2.0
"""Kernels of 16-bit tensors in TFLite's arithmetic against the reference, bit for bit."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array
from stowage.ir.ops.elementwise import Add, Clip, Mul, Relu, Sigmoid, Sub, Tanh
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import Softmax
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.ops.window_shape import Pads
from stowage.ir.requantise import Rounding, requantise
from stowage.ir.tensor_type import Quant, TensorType
from stowage.ir.tflite.mean import quotient_multiplier
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import Direction, NoKernel
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_equal,
    check_overlaps,
    distinct,
    integers,
    operator_trial,
    tensor,
)

Shape = tuple[int, ...]
Layer = FullyConnected | Conv2d | DepthwiseConv2d
LAYERS: list[tuple[Layer, Shape, Shape, int]] = [
    (FullyConnected(), (3, 40), (5, 40), 0),
    (FullyConnected((0.0, 4.0)), (2, 1, 700), (3, 700), 0),
    (Conv2d((2, 1), (1, 1, 0, 1)), (2, 6, 5, 3), (4, 3, 3, 3), 0),
    (Conv2d((1, 1), (2, 2, 2, 2), (2, 2), groups=2, clamp=(-1.0, 3.0)), (1, 5, 7, 4), (6, 3, 3, 2), 0),
    (Conv2d(), (1, 2, 2, 300), (3, 2, 1, 300), 0),
    (DepthwiseConv2d((1, 2), (1, 0, 1, 1)), (2, 5, 6, 3), (3, 2, 6), 2),
    (DepthwiseConv2d((1, 1), (0, 0, 0, 0), (1, 2)), (1, 3, 7, 5), (2, 3, 5), 2),
]


def words(shape: Shape, scale: float) -> TensorType:
    return tensor(shape, DType.I16, float(np.float32(scale)))


def layer(random: np.random.Generator, op: Op, data: Shape, weights: Shape, axis: int) -> OperatorTrial:
    """With a bias or without, quantised along its output channels or not."""
    channels = weights[axis]
    scales = tuple(float(each) for each in 2.0 ** random.uniform(-9, -5, channels))
    along = bool(random.integers(2))
    quant = Quant(scales, (0,) * channels, axis) if along else Quant(scales[:1], (0,))
    types = [words(data, 2.0**-12), TensorType(weights, DType.I8, quant), TensorType((channels,), DType.I64)]
    bias = random.integers(-(2**36), 2**36, channels) >> random.integers(0, 30, channels)
    arrays = [*(integers(random, type_) for type_ in types[:2]), bias.astype(np.int64)]
    count = 2 + int(random.integers(2))
    (made,) = op.result_types(tuple(types))
    result = words(made.shape, 2.0 ** random.uniform(-16, -8))
    operands = list(zip(types, arrays, strict=True))[:count]
    constants = range(1, count)
    return operator_trial(lower, op, operands, result=result, constants=constants, arithmetic=Arithmetic.TFLITE)


@pytest.mark.parametrize("sanitise", [False, True])
def test_layers(sanitise: bool) -> None:
    """Results from rounded away to far beyond 16 bits."""
    random = np.random.default_rng(1)
    check_equal([layer(random, *each) for each in LAYERS for _ in range(8)], sanitise=sanitise)


@pytest.mark.parametrize(("op", "data", "weights", "axis"), LAYERS)
def test_layers_may_lie_over_their_input(op: Layer, data: Shape, weights: Shape, axis: int) -> None:
    """Results of which few saturate, so that every element that is lost shows."""
    random = np.random.default_rng(11)
    types = [words(data, 2.0**-12), tensor(weights, DType.I8, 2.0**-7)]
    arrays = [distinct(random, types[0]), np.array(random.choice([-1, 1], weights) * 31, np.int8)]
    unclamped = replace(op, clamp=None)
    (made,) = unclamped.result_types(tuple(types))
    operands = list(zip(types, arrays, strict=True))
    result = words(made.shape, 2.0**-8)
    arithmetic = Arithmetic.TFLITE
    trial = operator_trial(lower, unclamped, operands, result=result, constants=(1,), arithmetic=arithmetic)
    assert trial.call.overlaps
    check_overlaps([trial])


def test_a_bias_of_more_than_48_bits_is_refused() -> None:
    types = [words((1, 2), 0.1), tensor((1, 2), DType.I8, 0.1), TensorType((1,), DType.I64)]
    arrays: list[Array] = [np.zeros((1, 2), np.int16), np.ones((1, 2), np.int8), np.array([2**47], np.int64)]
    with pytest.raises(NoKernel, match="2\\^47"):
        operator_trial(
            lower,
            FullyConnected(),
            list(zip(types, arrays, strict=True)),
            result=words((1, 1), 1.0),
            constants=(1, 2),
            arithmetic=Arithmetic.TFLITE,
        )


def pair(random: np.random.Generator, kind: type[Add | Sub | Mul], shapes: tuple[Shape, Shape]) -> OperatorTrial:
    types = [words(shape, 2.0 ** random.uniform(-14, -9)) for shape in shapes]
    result = words(np.broadcast_shapes(*shapes), 2.0 ** random.uniform(-11, -7))
    clamp = None if random.integers(2) else (0.0, 3.0)
    operands = [(type_, integers(random, type_)) for type_ in types]
    return operator_trial(lower, kind(clamp), operands, result=result, arithmetic=Arithmetic.TFLITE)


@pytest.mark.parametrize("kind", [Add, Sub, Mul])
@pytest.mark.parametrize("sanitise", [False, True])
def test_two_operands(kind: type[Add | Sub | Mul], sanitise: bool) -> None:
    random = np.random.default_rng(2)
    shapes = [((3, 40), (3, 40)), ((2, 5, 7), (5, 1)), ((1,), (4, 3))]
    check_equal([pair(random, kind, each) for each in shapes for _ in range(8)], sanitise=sanitise)


@pytest.mark.parametrize("kind", [Add, Sub, Mul])
def test_a_result_may_lie_over_its_operands(kind: type[Add | Sub | Mul]) -> None:
    random = np.random.default_rng(3)
    types = [words((5, 9), 2.0**-12) for _ in range(2)]
    operands = [(type_, distinct(random, type_)) for type_ in types]
    made = operator_trial(lower, kind(), operands, result=words((5, 9), 2.0**-9), arithmetic=Arithmetic.TFLITE)
    assert {(each.input, each.direction) for each in made.call.overlaps} == set(itertools.product((0, 1), Direction))
    check_overlaps([made])


def pooled(
    random: np.random.Generator, kind: type[AveragePool2d | MaxPool2d], data: Shape, pads: Pads
) -> OperatorTrial:
    """Integers near each other, and everything that the type has."""
    source = words(data, 2.0**-12)
    op = kind((3, 2), (2, 1), pads)
    array = integers(random, source) // int(random.choice([1, 2**13]))
    (made,) = op.result_types((source,))
    result = TensorType(made.shape, DType.I16, source.quant)
    return operator_trial(lower, op, [(source, array)], result=result, arithmetic=Arithmetic.TFLITE)


def test_means_may_lie_over_their_image() -> None:
    random = np.random.default_rng(5)
    source = words((1, 6, 5, 6), 2.0**-12)
    op = AveragePool2d((2, 2), (1, 1), (1, 1, 1, 1))
    (made,) = op.result_types((source,))
    result = TensorType(made.shape, DType.I16, source.quant)
    operands = [(source, distinct(random, source))]
    check_overlaps([operator_trial(lower, op, operands, result=result, arithmetic=Arithmetic.TFLITE)])


POOLED: list[tuple[Shape, Pads]] = [((2, 5, 4, 3), (0, 0, 0, 0)), ((1, 6, 5, 6), (1, 1, 1, 0))]


@pytest.mark.parametrize("kind", [AveragePool2d, MaxPool2d])
@pytest.mark.parametrize("sanitise", [False, True])
def test_pooling(kind: type[AveragePool2d | MaxPool2d], sanitise: bool) -> None:
    random = np.random.default_rng(4)
    check_equal([pooled(random, kind, *each) for each in POOLED for _ in range(12)], sanitise=sanitise)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 100, 12345, 2**14 - 1])
def test_quotients_are_exact(count: int) -> None:
    """Those next to a half, of the largest sums."""
    halves = np.array([part * count + count // 2 + near for part in (0, 1, 32766) for near in (-1, 0, 1)])
    halves = halves[halves <= 32767 * count]
    expected = (2 * halves + count) // (2 * count)
    for sign in (1, -1):
        made = requantise(sign * halves, quotient_multiplier(count), Rounding.AWAY)
        np.testing.assert_array_equal(made, sign * expected)


def rescaled(random: np.random.Generator, op: Clip | Relu, dtype: DType, distance: float) -> OperatorTrial:
    source = words((3, 71), 2.0**-12)
    scale, point = float(np.float32(2.0 ** (-12 - distance))), int(random.integers(-128, 128))
    result = tensor((3, 71), dtype, scale, point if dtype is DType.I8 else 0)
    return operator_trial(lower, op, [(source, distinct(random, source))], result=result, arithmetic=Arithmetic.TFLITE)


@pytest.mark.parametrize("dtype", [DType.I8, DType.I16])
@pytest.mark.parametrize("sanitise", [False, True])
def test_changes_of_scale(dtype: DType, sanitise: bool) -> None:
    random = np.random.default_rng(6)
    clamps: list[Clip | Relu] = [Clip(-math.inf, math.inf), Relu(), Clip(-1.0, 1.0)]
    distances = [-12.3, -1.0, 0.0, 0.7, 9.0, 14.9]
    check_equal([rescaled(random, op, dtype, each) for op in clamps for each in distances], sanitise=sanitise)


@pytest.mark.parametrize("dtype", [DType.I8, DType.I16])
def test_a_change_of_scale_may_lie_over_its_operand(dtype: DType) -> None:
    made = rescaled(np.random.default_rng(7), Clip(-math.inf, math.inf), dtype, -8.0 if dtype is DType.I8 else 0.0)
    check_overlaps([made], exact_at_zero=dtype is DType.I16)


def by_table(op: Sigmoid | Tanh, scale: float, array: Array) -> OperatorTrial:
    source, result = words(array.shape, scale), words(array.shape, 2.0**-15)
    return operator_trial(lower, op, [(source, array)], result=result, arithmetic=Arithmetic.TFLITE)


@pytest.mark.parametrize("op", [Sigmoid(), Tanh()])
@pytest.mark.parametrize("sanitise", [False, True])
def test_functions_by_table(op: Sigmoid | Tanh, sanitise: bool) -> None:
    """Every integer, from nearly none of the table to far beyond it."""
    every = np.arange(-(2**15), 2**15).astype(np.int16)
    scales = [1e-6, 1e-4, 2.0**-12, 2.0**-11, 3e-4, 0.01, 2.5]
    check_equal([by_table(op, scale, every) for scale in scales], sanitise=sanitise)


def test_a_function_by_table_may_lie_over_its_operand() -> None:
    array = distinct(np.random.default_rng(8), words((200,), 1.0))
    check_overlaps([by_table(Sigmoid(), 2.0**-13, array)], exact_at_zero=True)


def shares(array: Array, scale: float, axis: int) -> OperatorTrial:
    source, result = words(array.shape, scale), words(array.shape, 2.0**-15)
    return operator_trial(lower, Softmax(axis), [(source, array)], result=result, arithmetic=Arithmetic.TFLITE)


@pytest.mark.parametrize("sanitise", [False, True])
def test_softmax(sanitise: bool) -> None:
    """Rows of one number, and the longest of equal ones, among them."""
    random = np.random.default_rng(9)
    cases = [((4, 10), 1), ((2, 5, 3), 1), ((1, 1), 1), ((2, 1000), 1)]
    arrays = [(integers(random, words(shape, 1.0)) // divisor, axis) for shape, axis in cases for divisor in (1, 99)]
    arrays.append((np.full((1, 2**15), -7, np.int16), 1))
    trials = [shares(array, scale, axis) for array, axis in arrays for scale in (1e-5, 3e-4, 1.0)]
    check_equal(trials, sanitise=sanitise)


def test_softmax_overlaps() -> None:
    random = np.random.default_rng(10)
    cases = [((4, 10), 1), ((2, 6, 4), 1)]
    check_overlaps([shares(distinct(random, words(shape, 1.0)), 1e-4, axis) for shape, axis in cases])
