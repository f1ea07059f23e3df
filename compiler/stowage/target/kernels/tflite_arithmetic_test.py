# SPDX-License-Identifier: Apache-2.0
"""Kernels of TFLite's arithmetic against the reference, bit for bit: sums, means, softmax, quantising, LSTM."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Graph, Node, Value
from stowage.ir.ops.combination import PRelu
from stowage.ir.ops.elementwise import Add, Quantize, Sub
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import ReduceMean, Softmax
from stowage.ir.ops.sequence_lstm import SequenceLstm
from stowage.ir.reference import run
from stowage.ir.tensor_type import Quant, TensorType
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel, Site
from stowage.target.kernels.kernel_trial import Trial, run_trials
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_equal,
    check_overlaps,
    distinct,
    integers,
    operator_trial,
    tensor,
)

SHARES = TensorType((), DType.I8, Quant((1 / 256,), (-128,)))


def byte(random: np.random.Generator, shape: tuple[int, ...], low: float = -6, high: float = -1) -> TensorType:
    """An int8 tensor of some scale and zero point."""
    scale = float(np.float32(2.0 ** random.uniform(low, high)))
    return tensor(shape, DType.I8, scale, int(random.integers(-128, 128)))


def trial(op: Op, operands: list[tuple[TensorType, Array]], result: TensorType) -> OperatorTrial:
    return operator_trial(lower, op, operands, result=result, arithmetic=Arithmetic.TFLITE)


def sums(random: np.random.Generator, kind: type[Add | Sub], shapes: tuple[tuple[int, ...], ...]) -> OperatorTrial:
    types = [byte(random, shape) for shape in shapes]
    result = byte(random, np.broadcast_shapes(*shapes), -3, 2)
    clamp = None if random.integers(2) else (0.0, 3.0)
    return trial(kind(clamp), [(type_, integers(random, type_)) for type_ in types], result)


@pytest.mark.parametrize("kind", [Add, Sub])
@pytest.mark.parametrize("sanitise", [False, True])
def test_sums(kind: type[Add | Sub], sanitise: bool) -> None:
    random = np.random.default_rng(1)
    shapes = [((3, 40), (3, 40)), ((2, 5, 7), (5, 1)), ((1,), (4, 3))]
    check_equal([sums(random, kind, pair) for pair in shapes for _ in range(8)], sanitise=sanitise)


def test_a_sum_may_lie_over_its_operands() -> None:
    random = np.random.default_rng(2)
    types = [byte(random, (5, 9)) for _ in range(2)]
    operands = [(type_, distinct(random, type_)) for type_ in types]
    check_overlaps([trial(Add(), operands, byte(random, (5, 9), -2, 0))])


def test_a_sum_of_far_too_large_scales_is_refused() -> None:
    types = [tensor((2,), DType.I8, 1.0) for _ in range(2)]
    with pytest.raises(NoKernel, match="too large for a sum"):
        inputs = tuple(Value(f"x{index}", type_) for index, type_ in enumerate(types))
        lower(Node("n", Add(), inputs, (Value("y", tensor((2,), DType.I8, 1e-9)),)), Site({}, Arithmetic.TFLITE))


def softmax(random: np.random.Generator, shape: tuple[int, ...], axis: int) -> OperatorTrial:
    source = byte(random, shape, -7, 0)
    array = integers(random, source)
    if random.integers(3) == 0:
        array = np.full(shape, int(random.integers(-128, 128)), np.int8)
    return trial(Softmax(axis), [(source, array)], TensorType(shape, DType.I8, SHARES.quant))


@pytest.mark.parametrize("sanitise", [False, True])
def test_softmax(sanitise: bool) -> None:
    """Rows so long and even that quotients shift out of sight among them."""
    random = np.random.default_rng(3)
    cases = [((4, 10), 1), ((2, 5, 3), 1), ((1, 1), 1), ((2, 1000), 1), ((1, 4096), 1)]
    check_equal([softmax(random, *case) for case in cases for _ in range(6)], sanitise=sanitise)


def test_softmax_overlaps() -> None:
    random = np.random.default_rng(4)
    trials = []
    for shape, axis in (((4, 10), 1), ((2, 6, 4), 1)):
        source = tensor(shape, DType.I8, 0.02)
        target = TensorType(shape, DType.I8, SHARES.quant)
        trials.append(trial(Softmax(axis), [(source, distinct(random, source))], target))
    check_overlaps(trials)


@pytest.mark.parametrize("sanitise", [False, True])
def test_means(sanitise: bool) -> None:
    random = np.random.default_rng(5)
    cases = [((1, 7, 7, 5), (1, 2), (1, 5)), ((2, 3, 4), (2,), (2, 3)), ((3, 5), (0,), (5,))]
    trials = []
    for shape, axes, left in cases * 8:
        source = byte(random, shape)
        made = ReduceMean(axes, keepdims=False)
        trials.append(trial(made, [(source, integers(random, source))], byte(random, left, -7, -1)))
    check_equal(trials, sanitise=sanitise)


@pytest.mark.parametrize("dtype", [DType.I8, DType.U8, DType.I16, DType.U16])
def test_quantising_rounds_halves_away_from_zero(dtype: DType) -> None:
    random = np.random.default_rng(6)
    quant = Quant((0.125,), (3,))
    special = [math.inf, -math.inf, 0.0, -0.0, 0.0624999963, -0.0624999963, 1e30, -1e30]
    reals = np.concatenate([np.arange(-2000, 2000) * 0.0625, random.standard_normal(500) * 9, special])
    source = TensorType(reals.shape, DType.F32)
    made = trial(Quantize(dtype, quant), [(source, reals.astype(np.float32))], TensorType(reals.shape, dtype, quant))
    assert made.call.function.startswith("stw_quantise_away_f32_")
    check_equal([made])
    check_equal([made], sanitise=True)


def lstm(
    random: np.random.Generator, extents: tuple[int, int, int, int], clip: float, exponent: int
) -> tuple[Trial, list[Array]]:
    """A trial and what its two outputs are to be."""
    steps, batches, inputs, hidden = extents
    rows = 4 * hidden
    gates = tuple(float(2.0 ** random.uniform(-8, -5)) for _ in range(4) for _ in range(hidden))
    types = (
        byte(random, (steps, batches, inputs), -6, -3),
        TensorType((rows, inputs), DType.I8, Quant(gates, (0,) * rows, 0)),
        TensorType((rows, hidden), DType.I8, Quant(gates, (0,) * rows, 0)),
        TensorType((rows,), DType.I32),
        byte(random, (batches, hidden), -8, -6),
        TensorType((batches, hidden), DType.I16, Quant((2.0**exponent,), (0,))),
    )
    arrays: list[Array] = [
        random.integers(-3000, 3000, rows).astype(np.int32) if type_.dtype is DType.I32 else integers(random, type_)
        for type_ in types
    ]
    inputs_ = tuple(Value(f"input_{index}", type_) for index, type_ in enumerate(types))
    op = SequenceLstm(clip)
    outputs = tuple(Value(f"output_{k}", type_) for k, type_ in enumerate(op.result_types(types)))
    node = Node("node", op, inputs_, outputs)
    known = {value.name: array for value, array in zip(inputs_, arrays, strict=True)}
    call = lower(node, Site(dict(list(known.items())[1:4]), Arithmetic.TFLITE))
    values = run(Graph("trial", inputs_, outputs, (node,), Arithmetic.TFLITE), known)
    made = Trial(call, tuple(arrays), tuple(value.type for value in outputs))
    return made, [values[value.name] for value in outputs]


@pytest.mark.parametrize("sanitise", [False, True])
def test_lstm_of_integers(sanitise: bool) -> None:
    random = np.random.default_rng(7)
    extents = [(1, 1, 3, 4), (6, 2, 5, 3), (3, 1, 9, 8)]
    trials = [
        lstm(random, each, clip, exponent)
        for each in extents
        for clip, exponent in ((math.inf, -11), (0.7, -12), (10.0, -15), (math.inf, -9))
    ]
    found = run_trials([made for made, _ in trials], sanitise=sanitise)
    for outputs, (_, expected) in zip(found, trials, strict=True):
        for output, wanted in zip(outputs, expected, strict=True):
            np.testing.assert_array_equal(output, wanted)


def test_safe_distances_of_an_lstm() -> None:
    """Some elements have little weight, so that one that is overwritten need not show: most do."""
    random = np.random.default_rng(9)
    trials = [
        lstm(random, (each[0], each[1], each[2], each[3]), math.inf, -11)[0]
        for each in random.integers((1, 1, 1, 1), (6, 4, 9, 9), (300, 4)).tolist()
    ]
    pairs = [(each, overlap) for each in trials for overlap in each.call.overlaps]
    apart = run_trials([each for each, _ in pairs])
    for beside, over in zip(apart, run_trials([replace(each, overlap=o) for each, o in pairs]), strict=True):
        np.testing.assert_equal(over, beside)
    less = [replace(o, distance_bytes=o.distance_bytes - 1) for _, o in pairs]
    closer = run_trials([replace(each, overlap=o) for (each, _), o in zip(pairs, less, strict=True)])
    spoiled = [
        not np.array_equal(over[0], beside[0])
        for beside, over, (_, overlap) in zip(apart, closer, pairs, strict=True)
        if overlap.distance_bytes > 0
    ]
    assert len(spoiled) > 50
    assert np.mean(spoiled) > 0.9


@pytest.mark.parametrize("sanitise", [False, True])
def test_prelu(sanitise: bool) -> None:
    random = np.random.default_rng(8)
    trials = []
    for shape in [(3, 40), (40,), (3, 1)] * 6:
        types = [byte(random, (3, 40)), byte(random, shape, -9, -4)]
        operands = [(type_, integers(random, type_)) for type_ in types]
        trials.append(trial(PRelu(), operands, byte(random, (3, 40))))
    check_equal(trials, sanitise=sanitise)
