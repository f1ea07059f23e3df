# SPDX-License-Identifier: Apache-2.0
"""Functions of one number and combinations of two against the reference: every type, broadcasting, limits, in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops import angle, bits, combination, function, truth
from stowage.ir.ops.op import Op
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel
from stowage.target.kernels.kernel_trial import run_trials
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_close,
    check_equal,
    check_overlaps,
    integers,
    operator_trial,
    tensor,
)

EXACT: list[Op] = [
    *(function.Neg(), function.Abs(), function.Sign(), function.Floor(), function.Ceil(), function.Round()),
    *(function.Sqrt(), function.ThresholdedRelu(0.7), function.Shrink(0.25, 0.5), function.Reciprocal()),
]
ROUNDED: list[Op] = [
    *(function.Exp(), function.Erf(), function.Elu(1.5, 1.25), function.Celu(2.0), function.Softplus()),
    *(function.Softsign(), function.Log()),
]
CANCELLING: list[Op] = [function.Gelu(), function.GeluTanh(), function.Mish(), function.Sin(), function.Cos()]
CANCELLING += [function.Swish(1.5)]
WHOLE = [DType.I8, DType.I16, DType.I32, DType.I64, DType.U8, DType.U16, DType.U32, DType.U64]


def magnitudes(low: float, high: float) -> Any:
    """Both signs, spread evenly over the logarithm, and zeros."""
    sizes = np.geomspace(low, high, 1500)
    return np.concatenate([-sizes, sizes, [0.0, -0.0, 0.5, 1.5, -2.5]]).astype(np.float32)


def trial(op: Op, *arrays: Any) -> OperatorTrial:
    typed = [(tensor(array.shape, DType.of(array.dtype)), array) for array in arrays]
    return operator_trial(lower, op, typed)


@pytest.mark.parametrize("op", EXACT)
def test_exact_functions(op: Op) -> None:
    everything = np.append(magnitudes(1e-30, 3e30), np.array([np.inf, -np.inf], np.float32))
    check_equal([trial(op, everything), trial(op, everything[:1])])
    check_equal([trial(op, everything)], sanitise=True)


@pytest.mark.parametrize("op", ROUNDED)
def test_other_functions_are_within_rounding(op: Op) -> None:
    numbers = np.abs(magnitudes(1e-30, 80.0)) if isinstance(op, function.Log) else magnitudes(1e-30, 80.0)
    check_close([trial(op, numbers)], relative=1e-6)


@pytest.mark.parametrize("op", CANCELLING)
def test_functions_that_cancel_are_within_a_rounding_of_their_terms(op: Op) -> None:
    check_close([trial(op, magnitudes(1e-20, 80.0))], relative=1e-6, absolute=4e-7)


@pytest.mark.parametrize("record", angle.ANGLES)
def test_angles(record: type[function.RealFunction]) -> None:
    numbers = np.linspace(-0.99, 0.99, 301).astype(np.float32)
    numbers = numbers + np.float32(2) if record is angle.Acosh else numbers
    check_close([trial(record(), numbers)], relative=1e-6, absolute=1e-7)
    check_overlaps([trial(record(), numbers)])


@pytest.mark.parametrize("op", [*EXACT, *ROUNDED, *CANCELLING])
def test_a_function_may_write_over_its_operand(op: Op) -> None:
    check_overlaps([trial(op, np.linspace(0.6, 1.4, 37).astype(np.float32))])


@pytest.mark.parametrize("dtype", WHOLE)
@pytest.mark.parametrize("op", [function.Neg(), function.Abs(), function.Sign()])
def test_functions_of_integers(op: Op, dtype: DType) -> None:
    numbers = integers(np.random.default_rng(1), tensor((50,), dtype))
    numbers[:2] = np.iinfo(numbers.dtype.name).min, np.iinfo(numbers.dtype.name).max
    if isinstance(op, function.Neg) and numbers.dtype.kind == "u":
        with pytest.raises(NoKernel, match="neg of ui"):
            trial(op, numbers)
    else:
        check_equal([trial(op, numbers)], sanitise=True)


@pytest.mark.parametrize("op", [truth.IsNan(), truth.IsInf(), truth.IsInf(True, False), truth.IsInf(False, True)])
def test_truths_of_floats(op: Op) -> None:
    check_equal([trial(op, np.array([0, 1, np.inf, -np.inf, np.nan, -np.nan, 3e38], np.float32))], sanitise=True)


def test_not() -> None:
    check_equal([trial(truth.Not(), np.array([True, False, True]))])


ORDERED: list[Op] = [combination.Min(), combination.Max(), combination.PRelu(), combination.Equal()]
ORDERED += [combination.Less(), combination.LessOrEqual()]
MODULO: list[Op] = [combination.Mod(), combination.Mod(truncated=True)]


@pytest.mark.parametrize("dtype", [*WHOLE, DType.F32])
@pytest.mark.parametrize("op", [*ORDERED, *MODULO])
def test_combinations_of_every_type(op: Op, dtype: DType) -> None:
    random = np.random.default_rng(2)
    shapes = [((3, 4, 5), (3, 4, 5)), ((3, 4, 5), (4, 1)), ((5,), (3, 4, 5)), ((2, 1, 3), (2, 4, 1))]
    trials = []
    for first, second in shapes:
        low = 0 if dtype.numpy.kind == "u" else -4
        arrays = [random.integers(low, 5, shape).astype(dtype.numpy) for shape in (first, second)]
        if op in MODULO and dtype is DType.F32:
            arrays[1][arrays[1] == 0] = 3
        trials.append(trial(op, *arrays))
    check_equal(trials, sanitise=True)


def test_the_lowest_integer_has_a_rest() -> None:
    lowest, ones = np.full(3, np.iinfo(np.int32).min, np.int32), np.array([-1, 0, 7], np.int32)
    check_equal([trial(combination.Mod(), lowest, ones)], sanitise=True)
    check_equal([trial(combination.Mod(truncated=True), lowest, ones)], sanitise=True)


@pytest.mark.parametrize("op", MODULO)
def test_the_rest_of_floats_is_exact_whatever_their_ratio(op: Op) -> None:
    random = np.random.default_rng(5)
    bits = random.integers(0, 2**32, (2, 4000), dtype=np.uint64).astype(np.uint32).view(np.float32)
    limits = np.array([0, -0.0, 1, -1, 3, -2.5, 1e-45, 3e38, np.inf, -np.inf, np.nan], np.float32)
    check_equal([trial(op, bits[0], bits[1]), trial(op, limits[:, np.newaxis], limits)], sanitise=True)


def test_powers() -> None:
    random = np.random.default_rng(3)
    bases, exponents = np.exp(random.uniform(-8, 8, 900)), random.uniform(-6, 6, 900)
    check_close([trial(combination.Pow(), bases.astype(np.float32), exponents.astype(np.float32))], relative=3e-6)


def test_powers_at_the_limits() -> None:
    numbers = np.array([0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, np.inf, -np.inf], np.float32)
    check_close([trial(combination.Pow(), numbers[:, np.newaxis], numbers)], relative=1e-6)


@pytest.mark.parametrize("op", [combination.And(), combination.Or(), combination.Xor(), combination.Equal()])
def test_connectives(op: Op) -> None:
    check_equal([trial(op, np.array([[True], [False]]), np.array([True, False, True]))])


@pytest.mark.parametrize("dtype", WHOLE)
@pytest.mark.parametrize("op", [combination.And(), combination.Or(), combination.Xor(), truth.Not()])
def test_connectives_of_integers_work_bit_by_bit(op: Op, dtype: DType) -> None:
    random = np.random.default_rng(6)
    operands = [integers(random, tensor(shape, dtype)) for shape in ((3, 4, 5), (4, 1))]
    trials = [trial(op, *(operands[:1] if isinstance(op, truth.Not) else operands))]
    check_equal(trials, sanitise=True)
    check_overlaps(trials)


@pytest.mark.parametrize("dtype", WHOLE)
@pytest.mark.parametrize("op", [bits.ShiftLeft(), bits.ShiftRight()])
def test_shifts(op: Op, dtype: DType) -> None:
    """Of every number of bits that there can be, and of those that are too many or negative."""
    width = 8 * dtype.size_bytes
    numbers = np.append(integers(np.random.default_rng(7), tensor((9, 1), dtype)), [[1]], 0).astype(dtype.numpy)
    negative = [] if dtype.numpy.kind == "u" else [-1, -width]
    counts = np.array([*range(min(width + 3, 128)), 127, *negative])
    check_equal([trial(op, numbers, counts.astype(dtype.numpy))], sanitise=True)


@pytest.mark.parametrize("dtype", WHOLE)
def test_powers_of_integers(dtype: DType) -> None:
    bases = np.append(integers(np.random.default_rng(8), tensor((5,), dtype)), [0, 1, 2, 3, 127]).astype(dtype.numpy)
    exponents = np.array([0, 1, 2, 3, 7, 31, 100])
    if dtype.numpy.kind == "i":
        bases, exponents = np.append(bases, bases.dtype.type(-1)), np.append(exponents, [-1, -2, -7])
    call = trial(combination.Pow(), bases[:, np.newaxis], exponents.astype(dtype.numpy))
    assert call.expected[7, :4].tolist() == [1, 2, 4, 8]
    check_equal([call], sanitise=True)


@pytest.mark.parametrize(("source", "target"), [(DType.F32, DType.I32), (DType.U16, DType.F16), (DType.I8, DType.U8)])
def test_bits_are_cast_as_they_are(source: DType, target: DType) -> None:
    elements = np.random.default_rng(9).integers(0, 256, 12 * source.size_bytes, np.uint8).view(source.numpy)
    check_equal([trial(bits.BitCast(target), elements)])


@pytest.mark.parametrize("dtype", [DType.F32, DType.I8, DType.I16, DType.I64, DType.BOOL, DType.F16])
def test_where(dtype: DType) -> None:
    random = np.random.default_rng(4)
    arrays = [random.integers(0, 2, shape).astype(dtype.numpy) for shape in ((3, 1, 4), (1,))]
    condition = random.integers(0, 2, (5, 4)).astype(bool)
    check_equal([trial(combination.Where(), condition, *arrays)], sanitise=True)


@pytest.mark.parametrize("op", [combination.Max(), combination.Less(), combination.Mod(), combination.Pow()])
def test_a_combination_may_write_over_an_operand(op: Op) -> None:
    first, second = np.linspace(0.6, 2.4, 37).astype(np.float32), np.linspace(2.2, 0.5, 37).astype(np.float32)
    check_overlaps([trial(op, first, second), trial(op, second, first)])


def test_a_selection_may_write_over_an_operand() -> None:
    first, second = np.arange(30, dtype=np.float32), -np.arange(30, dtype=np.float32) - 1
    check_overlaps([trial(combination.Where(), first % 3 == 0, first, second)])


SELECTIONS = [((2, 3, 4), (2, 1, 4), (3, 1)), ((3, 1), (2, 3, 5), (5,)), ((6,), (4, 6), (4, 1)), ((1, 7), (7,), (2, 7))]


@pytest.mark.parametrize("shapes", SELECTIONS)
def test_a_selection_may_write_over_repeated_operands(shapes: tuple[tuple[int, ...], ...]) -> None:
    """An element too close shows where it is the one selected."""
    random = np.random.default_rng(11)
    trials = []
    for _ in range(64):
        first, second = (random.standard_normal(shape).astype(np.float32) for shape in shapes[1:])
        trials.append(trial(combination.Where(), random.random(shapes[0]) < 0.5, first, second))
    apart = [output for (output,) in run_trials([each.trial for each in trials])]
    for overlap in trials[0].call.overlaps:
        over = [output for (output,) in run_trials([each.over(overlap) for each in trials])]
        np.testing.assert_array_equal(over, apart)
        if overlap.distance_bytes > 0:
            closer = run_trials([each.over(each.one_less(overlap)) for each in trials])
            assert any(not np.array_equal(output, beside) for (output,), beside in zip(closer, apart, strict=True))


def test_a_comparison_may_write_over_a_repeated_operand() -> None:
    numbers = np.random.default_rng(12).standard_normal((7, 5)).astype(np.float32)
    first, _, second, _ = trial(combination.Less(), numbers, numbers[:1]).call.overlaps
    assert (first.distance_bytes, second.distance_bytes) == (0, 6 * 5)
    assert trial(combination.Less(), numbers[:, :1], numbers[:1]).call.overlaps[0].distance_bytes == 6
