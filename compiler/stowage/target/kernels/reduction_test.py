# SPDX-License-Identifier: Apache-2.0
"""ReduceMean, Softmax and ArgMax against the reference, and their safe distances by brute force."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import ArgMax, ReduceMean, Softmax
from stowage.ir.softmax_fixed_point import exponential_table
from stowage.ir.tensor_type import TensorType
from stowage.target.kernels.arg_max import lower_arg_max
from stowage.target.kernels.axes import filled_up
from stowage.target.kernels.call_parts import INTEGERS
from stowage.target.kernels.kernel import Lowering, NoKernel, Overlap, Site
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
from stowage.target.kernels.reduce_mean import lower_reduce_mean
from stowage.target.kernels.softmax import lower_softmax

Shape = tuple[int, ...]
SEEDS = st.integers(0, 2**32 - 1)
SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=6).map(tuple)
MANY = settings(deadline=None, max_examples=25)


@st.composite
def means(draw: Callable[..., object]) -> tuple[Shape, ReduceMean]:
    shape = draw(SHAPES)
    assert isinstance(shape, tuple)
    axes = draw(st.sets(st.integers(0, len(shape) - 1), min_size=1))
    assert isinstance(axes, set)
    return shape, ReduceMean(tuple(sorted(axes)), bool(draw(st.booleans())))


@st.composite
def along_axis(draw: Callable[..., int]) -> tuple[Shape, int]:
    shape: list[int] = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))  # type: ignore[assignment]
    return tuple(shape), draw(st.integers(0, len(shape) - 1))


def floats(lowering: Lowering, op: Op, shape: Shape, seed: int) -> OperatorTrial:
    type_ = tensor(shape, DType.F32)
    return operator_trial(lowering, op, [(type_, reals(np.random.default_rng(seed), type_))])


def quantised(lowering: Lowering, op: Op, shape: Shape, seed: int) -> OperatorTrial:
    """Random scales: the output's is up to 64 times finer or coarser than the input's."""
    random = np.random.default_rng(seed)
    exponents = random.uniform(-6, -2) + np.array([0, random.uniform(-6, 6)])
    zero_points = random.integers(-128, 128, 2)
    data = tensor(shape, DType.I8, float(2.0 ** exponents[0]), int(zero_points[0]))
    plain = op.result_types((data,))[0]
    result = tensor(plain.shape, DType.I8, float(2.0 ** exponents[1]), int(zero_points[1]))
    return operator_trial(lowering, op, [(data, integers(random, data))], result=result)


@MANY
@given(st.lists(st.tuples(means(), SEEDS), min_size=1, max_size=25))
def test_quantised_mean_is_the_reference(cases: list[tuple[tuple[Shape, ReduceMean], int]]) -> None:
    check_equal([quantised(lower_reduce_mean, op, shape, seed) for (shape, op), seed in cases])


@MANY
@given(st.lists(st.tuples(means(), SEEDS), min_size=1, max_size=25))
def test_float_mean_is_within_rounding(cases: list[tuple[tuple[Shape, ReduceMean], int]]) -> None:
    check_close(
        [floats(lower_reduce_mean, op, shape, seed) for (shape, op), seed in cases], relative=1e-5, absolute=1e-5
    )


@MANY
@given(st.lists(means(), min_size=1, max_size=20))
def test_mean_in_place(cases: list[tuple[Shape, ReduceMean]]) -> None:
    """The bytes of one element are enough to show in a mean of few floats of like magnitudes."""
    trials = []
    for shape, op in cases:
        type_ = tensor(shape, DType.F32)
        array = np.exp2(np.arange(type_.elements) % 13).reshape(shape) + np.float32(0.1)
        trials.append(operator_trial(lower_reduce_mean, op, [(type_, array.astype(np.float32))]))
    check_overlaps(trials)


def test_global_average_pooling_runs_over_all_pixels() -> None:
    call = quantised(lower_reduce_mean, ReduceMean((1, 2)), (1, 7, 7, 64), 0).call
    parameters = dict(call.parameters)
    assert parameters["extents"] == filled_up((64,), 1)
    assert parameters["reduced_extents"] == (1, 1, 49)
    assert parameters["reduced_strides"] == (0, 0, 64)
    assert call.overlaps == (Overlap(0, 0),)


def test_large_mean_of_extremes() -> None:
    data = tensor((1, 64, 64, 2), DType.I8, 0.5, -128)
    array = np.full(data.shape, 127, np.int8)
    result = tensor((1, 1, 1, 2), DType.I8, 0.25, 100)
    check_equal([operator_trial(lower_reduce_mean, ReduceMean((1, 2)), [(data, array)], result=result)], sanitise=True)


@MANY
@given(st.lists(st.tuples(along_axis(), SEEDS), min_size=1, max_size=25))
def test_quantised_softmax_is_the_reference(cases: list[tuple[tuple[Shape, int], int]]) -> None:
    trials = [quantised(lower_softmax, Softmax(axis), shape, seed) for (shape, axis), seed in cases]
    check_equal(trials)


@pytest.mark.parametrize("count", [1, 2, 3, 1000, 65536])
@pytest.mark.parametrize("scale", [1e-4, 0.1, 5.0])
def test_quantised_softmax_of_any_length(count: int, scale: float) -> None:
    random = np.random.default_rng(count)
    data, result = tensor((1, count), DType.I8, scale, 11), tensor((1, count), DType.I8, 1 / 256, -128)
    for array in (integers(random, data), np.full(data.shape, 127, np.int8)):
        check_equal([operator_trial(lower_softmax, Softmax(1), [(data, array)], result=result)], sanitise=count < 1000)


def test_quantised_softmax_is_near_the_real_one() -> None:
    random = np.random.default_rng(5)
    data, result = tensor((50, 10), DType.I8, 0.08, 3), tensor((50, 10), DType.I8, 1 / 256, -128)
    trial = operator_trial(lower_softmax, Softmax(1), [(data, integers(random, data))], result=result)
    exponentials = np.exp((trial.arrays[0].astype(float) - 3) * 0.08)
    real = np.minimum(exponentials / exponentials.sum(1, keepdims=True), 255 / 256)
    check_equal([trial])
    assert np.abs((trial.expected.astype(float) + 128) / 256 - real).max() <= 0.51 / 256


def test_softmax_table_is_the_definition() -> None:
    call = quantised(lower_softmax, Softmax(0), (10,), 0).call
    assert call.constants[0].array.shape == (256,)
    assert exponential_table(0.5)[0] == 2**30


@MANY
@given(st.lists(st.tuples(along_axis(), SEEDS), min_size=1, max_size=25))
def test_float_softmax_is_within_rounding(cases: list[tuple[tuple[Shape, int], int]]) -> None:
    check_close(
        [floats(lower_softmax, Softmax(axis), shape, seed) for (shape, axis), seed in cases],
        relative=2e-6,
        absolute=1e-30,
    )


def test_float_softmax_of_large_numbers() -> None:
    type_ = tensor((2, 3), DType.F32)
    array = np.array([[1e4, 1e4, -1e4], [-3e38, 3e38, 0]], np.float32)
    check_close([operator_trial(lower_softmax, Softmax(1), [(type_, array)])], relative=1e-6)


@pytest.mark.parametrize(("shape", "axis"), [((3, 5), 1), ((2, 4, 3), 1), ((4, 3), 0), ((2, 1, 6), 1), ((2, 5, 2), 1)])
def test_softmax_in_place(shape: Shape, axis: int) -> None:
    type_ = tensor(shape, DType.F32)
    array = np.linspace(-1, 1, type_.elements, dtype=np.float32).reshape(shape)
    check_overlaps([operator_trial(lower_softmax, Softmax(axis), [(type_, array)])], exact_at_zero=shape[axis] > 1)
    data, result = tensor(shape, DType.I8, 0.05, 0), tensor(shape, DType.I8, 1 / 256, -128)
    elements = (np.arange(data.elements) * 37 % 61).astype(np.int8).reshape(shape)
    check_overlaps([operator_trial(lower_softmax, Softmax(axis), [(data, elements)], result=result)])


@pytest.mark.parametrize("dtype", [DType.F32, *INTEGERS])
@MANY
@given(st.lists(st.tuples(along_axis(), st.booleans(), st.booleans(), SEEDS), min_size=1, max_size=20))
def test_arg_max(dtype: DType, cases: list[tuple[tuple[Shape, int], bool, bool, int]]) -> None:
    """Few different numbers, so that there are equals to choose from."""
    trials = []
    for (shape, axis), keepdims, last, seed in cases:
        type_ = tensor(shape, dtype)
        array = np.random.default_rng(seed).choice(extremes(dtype), shape).astype(dtype.numpy)
        trials.append(operator_trial(lower_arg_max, ArgMax(axis, keepdims, last), [(type_, array)]))
    check_equal(trials)


def extremes(dtype: DType) -> list[float]:
    """Some numbers of a type, its limits among them."""
    if dtype is DType.F32:
        return [-np.inf, -3e38, -1.5, -1e-40, -0.0, 0.0, 1e-40, 1.5, 3e38, np.inf]
    limits = np.iinfo(dtype.numpy.name)
    return [limits.min, limits.min + 1, 0, limits.max - 1, limits.max]


@pytest.mark.parametrize("shape", [(5, 2, 1), (4, 3, 2), (3, 2, 5), (1, 9, 4), (6, 20, 1)])
@pytest.mark.parametrize("dtype", [DType.F32, DType.I8])
def test_arg_max_in_place(shape: Shape, dtype: DType) -> None:
    """The first elements are the largest; one that an index is written over (its upper bytes are 0) no longer is."""
    array = np.full(shape, 50, dtype.numpy)
    array[:, 0] = 100
    check_overlaps([operator_trial(lower_arg_max, ArgMax(1), [(tensor(shape, dtype), array)])])


def test_arg_max_distance() -> None:
    def distance(shape: Shape, dtype: DType) -> int:
        type_ = tensor(shape, dtype)
        array = np.zeros(shape, dtype.numpy)
        return operator_trial(lower_arg_max, ArgMax(1), [(type_, array)]).call.overlaps[0].distance_bytes

    assert distance((4, 10), DType.I8) == 0
    assert distance((4, 3), DType.I8) == 3 * 5
    assert distance((1, 3, 5), DType.I8) == 4 * 7
    assert distance((4, 2), DType.F32) == 0


def one_input(op: Op, data: TensorType, result: TensorType) -> Node:
    return Node("n", op, (Value("x", data),), (Value("y", result),))


def test_refusals() -> None:
    quantised_type = tensor((4,), DType.I8, 0.5)
    with pytest.raises(NoKernel, match="zero point 0 instead of 1/256 and -128"):
        lower_softmax(one_input(Softmax(0), quantised_type, quantised_type), Site({}, Arithmetic.TFLITE))
    with pytest.raises(NoKernel, match="arg_max of f64"):
        node = one_input(ArgMax(0), tensor((4,), DType.F64), tensor((1,), DType.I64))
        lower_arg_max(node, Site({}, Arithmetic.ONNX))
    with pytest.raises(NoKernel, match="without a quantisation"):
        node = one_input(ReduceMean((0,)), tensor((4,), DType.I8), tensor((1,), DType.I8))
        lower_reduce_mean(node, Site({}, Arithmetic.ONNX))
    long = tensor((65537,), DType.I8, 0.5)
    with pytest.raises(NoKernel, match="65536"):
        lower_softmax(one_input(Softmax(0), long, long), Site({}, Arithmetic.ONNX))
