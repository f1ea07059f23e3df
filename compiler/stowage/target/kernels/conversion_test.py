# SPDX-License-Identifier: Apache-2.0
"""Table, Quantize, Dequantize, Cast and copies against the reference, and in place in both directions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Node, Value
from stowage.ir.ops.elementwise import Cast, Dequantize, Quantize, Table
from stowage.ir.ops.movement import Reshape
from stowage.ir.tensor_type import Quant
from stowage.target.kernels.cast import lower_cast
from stowage.target.kernels.copy import lower_reshape
from stowage.target.kernels.kernel import Direction, NoKernel, Overlap, Site
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_equal,
    check_overlaps,
    distinct,
    integers,
    operator_trial,
    reals,
    tensor,
)
from stowage.target.kernels.quantise import lower_dequantize, lower_quantize
from stowage.target.kernels.table import lower_table

EIGHT = [DType.I8, DType.U8]
SIXTEEN = [DType.I16, DType.U16]
CAST = [DType.F32, DType.BOOL, *EIGHT, *SIXTEEN, DType.I32, DType.U32, DType.I64, DType.U64]
SEEDS = st.integers(0, 2**32 - 1)


def table_trial(index: DType, entry: DType, count: int, seed: int) -> OperatorTrial:
    random = np.random.default_rng(seed)
    data, table = tensor((count,), index), tensor((256,), entry)
    entries = reals(random, table) if entry is DType.F32 else random.permutation(distinct(random, table))
    return operator_trial(lower_table, Table(), [(data, integers(random, data)), (table, entries)], constants=[1])


@pytest.mark.parametrize("index", EIGHT)
@pytest.mark.parametrize("entry", [*EIGHT, *SIXTEEN, DType.I32, DType.F32])
def test_table(index: DType, entry: DType) -> None:
    trials = [table_trial(index, entry, count, count) for count in (1, 2, 3, 4, 5, 300)]
    check_equal(trials)
    check_overlaps(trials[-1:], exact_at_zero=True)


def test_table_is_indexed_from_the_lowest_number() -> None:
    data, table = tensor((3,), DType.I8), tensor((256,), DType.U8)
    operands = [(data, np.array([-128, 0, 127], np.int8)), (table, np.arange(256).astype(np.uint8))]
    trial = operator_trial(lower_table, Table(), operands, constants=[1])
    assert trial.expected.tolist() == [0, 128, 255]
    check_equal([trial])


def test_table_must_be_constant() -> None:
    types = tensor((3,), DType.I8), tensor((256,), DType.I8)
    node = Node("n", Table(), (Value("x", types[0]), Value("t", types[1])), (Value("y", types[0]),))
    with pytest.raises(NoKernel, match="not constant"):
        lower_table(node, Site({}, Arithmetic.ONNX))


def quantize_trial(dtype: DType, scale: float, zero_point: int, array: Array) -> OperatorTrial:
    op = Quantize(dtype, Quant((scale,), (zero_point,)))
    return operator_trial(lower_quantize, op, [(tensor(array.shape, DType.F32), array)])


@pytest.mark.parametrize("dtype", [*EIGHT, *SIXTEEN])
@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(st.floats(-12, 6), SEEDS), min_size=1, max_size=20))
def test_quantize(dtype: DType, cases: list[tuple[float, int]]) -> None:
    trials = []
    for exponent, seed in cases:
        random = np.random.default_rng(seed)
        limits, scale = np.iinfo(dtype.numpy.name), float(np.float32(2.0**exponent))
        zero_point = int(random.integers(limits.min, limits.max, endpoint=True))
        steps = random.uniform(limits.min - zero_point - 50, limits.max - zero_point + 50, 200)
        steps[::3] = np.round(steps[::3]) + 0.5
        trials.append(quantize_trial(dtype, scale, zero_point, (steps * scale).astype(np.float32)))
    check_equal(trials)


def test_quantize_rounds_halves_to_even_and_saturates() -> None:
    halves = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 1e30, -1e30, np.inf, -np.inf, np.nan, -np.nan], np.float32)
    trial = quantize_trial(DType.I8, 1.0, 1, halves)
    assert trial.expected[:9].tolist() == [1, 3, 3, 1, -1, 127, -128, 127, -128]
    check_equal([trial], sanitise=True)


def dequantize_trial(dtype: DType, count: int, seed: int) -> OperatorTrial:
    random = np.random.default_rng(seed)
    limits = np.iinfo(dtype.numpy.name)
    zero_point = 0 if dtype is DType.I32 else int(random.integers(limits.min, limits.max, endpoint=True))
    data = tensor((count,), dtype, float(np.float32(2.0 ** random.uniform(-10, 4))), zero_point)
    return operator_trial(lower_dequantize, Dequantize(), [(data, integers(random, data))])


@pytest.mark.parametrize("dtype", [*EIGHT, *SIXTEEN, DType.I32])
def test_dequantize(dtype: DType) -> None:
    check_equal([dequantize_trial(dtype, 1 + seed % 40, seed) for seed in range(60)])
    check_overlaps([dequantize_trial(dtype, 41, seed) for seed in range(5)], exact_at_zero=True)


def test_dequantize_grows_backward_and_quantize_shrinks_forward() -> None:
    backward = dequantize_trial(DType.I8, 10, 0).call.overlaps
    forward = quantize_trial(DType.I8, 0.5, 3, np.arange(10, dtype=np.float32)).call.overlaps
    assert backward == (Overlap(0, 27, Direction.BACKWARD),)
    assert forward == (Overlap(0, 0),)


@pytest.mark.parametrize("dtype", [*EIGHT, *SIXTEEN])
def test_quantize_may_lie_over_its_input(dtype: DType) -> None:
    check_overlaps([quantize_trial(dtype, 0.1, 0, np.linspace(-2, 2, 41).astype(np.float32))])


def test_a_scale_for_each_channel_is_refused() -> None:
    op = Quantize(DType.I8, Quant((0.5, 0.25), (0, 0), axis=0))
    type_ = tensor((2,), DType.F32)
    node = Node("n", op, (Value("x", type_),), (Value("y", op.result_types((type_,))[0]),))
    with pytest.raises(NoKernel, match="2 scales along axis 0"):
        lower_quantize(node, Site({}, Arithmetic.ONNX))


def cast_elements(source: DType, target: DType, count: int) -> Array:
    """Numbers of a type that the other one can and cannot hold; the first two differ, so that clobbering shows."""
    random = np.random.default_rng(count)
    type_ = tensor((count,), source)
    if source is DType.BOOL:
        return np.append([True, False], random.integers(0, 2, count - 2).astype(np.bool_))
    if source is DType.F32:
        exponents = random.uniform(-3, 70 if target.size_bytes > 4 else 36, count)
        numbers: Array = (np.exp2(exponents) * random.choice([-1, 1], count)).astype(np.float32)
        numbers[1::5] = np.array([0.0, -0.0, 0.5, np.inf, -np.inf, np.nan], np.float32)
        return numbers
    return integers(random, type_)


@pytest.mark.parametrize(("source", "target"), list(itertools.product(CAST, CAST)))
def test_cast(source: DType, target: DType) -> None:
    array = cast_elements(source, target, 31)
    trial = operator_trial(lower_cast, Cast(target), [(tensor((31,), source), array)])
    check_equal([trial])
    check_overlaps([trial])


def test_cast_between_floats() -> None:
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    halves = halves[~np.isnan(halves)]
    wide = operator_trial(lower_cast, Cast(DType.F32), [(tensor(halves.shape, DType.F16), halves)])
    floats = np.append(
        reals(np.random.default_rng(2), tensor((300,), DType.F32)), np.array([1e9, -1e-9, np.inf, 7], np.float32)
    )
    narrow = operator_trial(lower_cast, Cast(DType.F16), [(tensor(floats.shape, DType.F32), floats)])
    check_equal([wide], sanitise=True)
    check_equal([narrow], sanitise=True)
    few = np.linspace(-9.1, 8.7, 31).astype(np.float16)
    check_overlaps([operator_trial(lower_cast, Cast(DType.F32), [(tensor((31,), DType.F16), few)])])
    check_overlaps([operator_trial(lower_cast, Cast(DType.F16), [(tensor((304,), DType.F32), floats)])])


def test_half_precision_is_cast_to_floats_alone() -> None:
    node = Node("n", Cast(DType.I8), (Value("x", tensor((2,), DType.F16)),), (Value("y", tensor((2,), DType.I8)),))
    with pytest.raises(NoKernel, match="cast of f16 to i8"):
        lower_cast(node, Site({}, Arithmetic.ONNX))


@pytest.mark.parametrize("dtype", [DType.I8, DType.F32, DType.I64])
def test_copy(dtype: DType) -> None:
    random = np.random.default_rng(0)
    types = [tensor((count,), dtype) for count in (1, 2, 3, 7, 64)]
    trials = [operator_trial(lower_reshape, Reshape((t.elements, 1)), [(t, distinct(random, t))]) for t in types]
    check_equal(trials)
    check_overlaps(trials[-1:], exact_at_zero=True)
