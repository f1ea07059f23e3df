# SPDX-License-Identifier: Apache-2.0
"""Integer arithmetic of quantised operators against real arithmetic (within one step) and against ONNX Runtime's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic
from stowage.ir.ops import elementwise, linear, movement, reduction, window
from stowage.ir.ops.op import Op
from stowage.ir.reference.interpreter import compute
from stowage.ir.reference.onnx_oracle import TO_NCHW, TO_NHWC, AnyArray, onnx_runtime, reference
from stowage.ir.reference.operand import Operand, stored
from stowage.ir.reference.quantised import INTEGERS
from stowage.ir.reference.real import REAL, compute_reals
from stowage.ir.tensor_type import Quant, TensorType

SCALES = st.floats(min_value=2.0**-10, max_value=2.0**4, width=32)
SEEDS = st.integers(0, 2**32 - 1)
BYTES = st.sampled_from([DType.I8, DType.U8])
CLAMPS = st.none() | st.tuples(st.floats(-8.0, 0.0), st.floats(0.0, 8.0))
RANGES = {DType.I8: (-128, 127), DType.U8: (0, 255)}


def random_operand(rng: np.random.Generator, dtype: DType, shape: tuple[int, ...], scale: float) -> Operand:
    lowest, highest = RANGES[dtype]
    quant = Quant((scale,), (int(rng.integers(lowest, highest + 1)),))
    return Operand(TensorType(shape, dtype, quant), rng.integers(lowest, highest + 1, shape).astype(dtype.numpy))


def random_weights(rng: np.random.Generator, shape: tuple[int, ...], axis: int) -> Operand:
    """Symmetric weights with a scale for each output channel."""
    scales = tuple((2.0 ** rng.uniform(-9, -3, shape[axis])).astype(np.float32).astype(float).tolist())
    quant = Quant(scales, (0,) * len(scales), axis)
    return Operand(TensorType(shape, DType.I8, quant), rng.integers(-127, 128, shape).astype(np.int8))


def bias_of(rng: np.random.Generator, data: Operand, weights: Operand) -> Operand:
    assert data.type.quant is not None and weights.type.quant is not None
    scales = tuple(data.type.quant.scale * scale for scale in weights.type.quant.scales)
    quant = Quant(scales, (0,) * len(scales), 0)
    array = rng.integers(-2000, 2000, len(scales)).astype(np.int32)
    return Operand(TensorType(array.shape, DType.I32, quant), array)


def assert_within_a_step(op: Op, operands: list[Operand], rng: np.random.Generator, arithmetic: Arithmetic) -> None:
    """The integers are at most one from the quantised real result, at an output scale that fills the type's range."""
    (rule,) = op.result_types(tuple(operand.type for operand in operands))
    reals = [operand.reals for operand in operands]
    lowest, highest = RANGES[rule.dtype]
    largest = max(float(np.abs(REAL[type(op)](op, reals)).max(initial=0.0)), 1e-3)
    scale = float(np.float32(largest / rng.uniform(60, 200)))
    result = replace(rule, quant=Quant((scale,), (int(rng.integers(lowest, highest + 1)),)))
    integers = compute(op, operands, result, arithmetic).astype(np.int64)
    assert type(op) in INTEGERS[Arithmetic.ONNX]
    assert np.abs(integers - stored(compute_reals(op, reals), result).astype(np.int64)).max(initial=0) <= 1


@settings(deadline=None)
@given(SEEDS, BYTES, SCALES, CLAMPS, st.booleans(), st.sampled_from(Arithmetic))
def test_convolution(seed: int, dtype: DType, scale: float, clamp: Any, biased: bool, arithmetic: Arithmetic) -> None:
    rng = np.random.default_rng(seed)
    data, weights = random_operand(rng, dtype, (1, 5, 6, 4), scale), random_weights(rng, (6, 3, 2, 2), 0)
    op = window.Conv2d((2, 1), (1, 0, 1, 1), (1, 2), 2, clamp)
    operands = [data, weights, bias_of(rng, data, weights)] if biased else [data, weights]
    assert_within_a_step(op, operands, rng, arithmetic)


@settings(deadline=None)
@given(SEEDS, BYTES, SCALES, CLAMPS, st.sampled_from(Arithmetic))
def test_depthwise_convolution(seed: int, dtype: DType, scale: float, clamp: Any, arithmetic: Arithmetic) -> None:
    rng = np.random.default_rng(seed)
    data, weights = random_operand(rng, dtype, (1, 5, 6, 3), scale), random_weights(rng, (3, 3, 6), 2)
    op = window.DepthwiseConv2d((1, 2), (1, 1, 1, 1), clamp=clamp)
    assert_within_a_step(op, [data, weights, bias_of(rng, data, weights)], rng, arithmetic)


@settings(deadline=None)
@given(SEEDS, BYTES, SCALES, CLAMPS, st.sampled_from(Arithmetic))
def test_fully_connected(seed: int, dtype: DType, scale: float, clamp: Any, arithmetic: Arithmetic) -> None:
    rng = np.random.default_rng(seed)
    data, weights = random_operand(rng, dtype, (3, 20), scale), random_weights(rng, (7, 20), 0)
    op = linear.FullyConnected(clamp)
    assert_within_a_step(op, [data, weights, bias_of(rng, data, weights)], rng, arithmetic)


@settings(deadline=None)
@given(SEEDS, BYTES, SCALES, st.booleans(), st.sampled_from(Arithmetic))
def test_matmul(seed: int, dtype: DType, scale: float, by_column: bool, arithmetic: Arithmetic) -> None:
    rng = np.random.default_rng(seed)
    a = random_operand(rng, dtype, (2, 3, 20), scale)
    b = random_weights(rng, (20, 7), 1) if by_column else random_operand(rng, DType.U8, (2, 20, 7), 0.01)
    assert_within_a_step(linear.MatMul(), [a, b], rng, arithmetic)


@pytest.mark.parametrize("record", [elementwise.Add, elementwise.Sub, elementwise.Mul])
@settings(deadline=None)
@given(SEEDS, BYTES, SCALES, SCALES, CLAMPS, st.sampled_from(Arithmetic))
def test_binary(record: Any, seed: int, dtype: DType, s1: float, s2: float, clamp: Any, arithmetic: Arithmetic) -> None:
    rng = np.random.default_rng(seed)
    operands = [random_operand(rng, dtype, (4, 5), s1), random_operand(rng, dtype, (3, 1, 5), s2)]
    assert_within_a_step(record(clamp), operands, rng, arithmetic)


UNARY: list[Op] = [
    window.AveragePool2d((2, 3), (2, 1), (1, 1, 1, 1)),
    window.AveragePool2d((3, 2), (1, 2), (1, 1, 1, 1), count_include_pad=True, clamp=(-1.0, 3.0)),
    reduction.ReduceMean((1, 2)),
    reduction.ReduceMean((0, 3), keepdims=False),
    reduction.Softmax(3),
    reduction.Softmax(1),
]


@pytest.mark.parametrize("op", UNARY)
@settings(deadline=None)
@given(SEEDS, BYTES, SCALES)
def test_unary(op: Op, seed: int, dtype: DType, scale: float) -> None:
    rng = np.random.default_rng(seed)
    assert_within_a_step(op, [random_operand(rng, dtype, (2, 4, 5, 3), scale)], rng, Arithmetic.ONNX)


@settings(deadline=None)
@given(SEEDS, BYTES, SCALES)
def test_mean_in_tflite(seed: int, dtype: DType, scale: float) -> None:
    """Averages and softmax have the quantisation there that TFLite prescribes."""
    rng = np.random.default_rng(seed)
    operands = [random_operand(rng, dtype, (2, 4, 5, 3), scale)]
    assert_within_a_step(reduction.ReduceMean((1, 2)), operands, rng, Arithmetic.TFLITE)


@settings(deadline=None)
@given(SEEDS, BYTES, SCALES)
def test_convolution_as_onnx_runtime(seed: int, dtype: DType, scale: float) -> None:
    """QLinearConv, whose rounding differs: within one step. Weights stay small, since its sums of pairs saturate."""
    rng = np.random.default_rng(seed)
    data, weights = random_operand(rng, dtype, (1, 6, 6, 4), scale), random_weights(rng, (5, 3, 3, 4), 0)
    weights = replace(weights, array=(weights.array // 2).astype(np.int8))
    bias = bias_of(rng, data, weights)
    assert data.type.quant is not None and weights.type.quant is not None and bias.type.quant is not None
    output = Quant((float(np.float32(scale * rng.uniform(0.5, 4))),), data.type.quant.zero_points)
    quants = [data.type.quant, weights.type.quant, bias.type.quant]
    ours = reference(window.Conv2d(pads=(1, 1, 1, 1)), [data.array, weights.array, bias.array], quants, output)
    theirs = onnx_runtime(
        "QLinearConv",
        [
            data.array.transpose(TO_NCHW),
            *parameters(data.type.quant, dtype),
            weights.array.transpose(TO_NCHW),
            *parameters(weights.type.quant, DType.I8),
            *parameters(output, dtype),
            bias.array,
        ],
        pads=(1, 1, 1, 1),
    )
    assert np.abs(ours.astype(int) - theirs.transpose(TO_NHWC)).max() <= 1


def parameters(quant: Quant, dtype: DType) -> tuple[AnyArray, AnyArray]:
    """Scales and zero points as ONNX operands."""
    scales, zero_points = np.array(quant.scales, dtype=np.float32), np.array(quant.zero_points, dtype=dtype.numpy)
    shape = () if quant.axis is None else scales.shape
    return scales.reshape(shape), zero_points.reshape(shape)


@settings(deadline=None)
@given(SEEDS, BYTES, SCALES)
def test_operators_without_integer_arithmetic_compute_in_reals(seed: int, dtype: DType, scale: float) -> None:
    data = random_operand(np.random.default_rng(seed), dtype, (40,), scale)
    assert data.type.quant is not None
    output = Quant((1 / 256,), (RANGES[dtype][0],))
    ours = reference(elementwise.Sigmoid(), [data.array], [data.type.quant], output)
    real = (np.tanh(data.reals / 2) / 2 + 0.5) * 256 + RANGES[dtype][0]
    assert np.abs(ours - np.minimum(real, RANGES[dtype][1])).max() <= 0.5 + 1e-9


def test_movement_keeps_bytes_and_pads_with_the_quantised_value() -> None:
    array, quant = np.array([[1, 2], [3, 4]], dtype=np.int8), Quant((0.5,), (-3,))
    padded = reference(movement.Pad((0, 1), (0, 0)), [array], [quant])
    assert padded.tolist() == [[-3, 1, 2], [-3, 3, 4]]
    assert reference(movement.Pad((0, 0), (0, 1), value=-100.0), [array], [quant])[0].tolist() == [1, 2, -128]
    assert reference(movement.Concat(0), [array, array], [quant, quant]).tolist() == [[1, 2], [3, 4]] * 2
    assert reference(window.MaxPool2d((1, 2)), [array.reshape(1, 2, 2, 1)], [quant]).tolist() == [[[[2]], [[4]]]]


def test_accumulator_beyond_32_bits_is_refused() -> None:
    quant, count = Quant((1.0,), (-128,)), 2**31 // (255 * 255) + 1
    data = np.full((1, count), 127, dtype=np.int8)
    with pytest.raises(OverflowError, match="more than 32 bits"):
        reference(linear.FullyConnected(), [data, data], [quant, quant], Quant((1e6,), (0,)))
