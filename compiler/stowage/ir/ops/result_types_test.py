# SPDX-License-Identifier: Apache-2.0
"""Shape rules: what each operator makes of its operands, and the sentence with which it refuses others."""

from __future__ import annotations

import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops import (
    angle,
    beside,
    bits,
    combination,
    elementwise,
    fed_rows,
    function,
    linear,
    movement,
    npu,
    pool_rows,
    recurrent,
    reduction,
    resample,
    residual,
    sampling,
    selection,
    sequence_lstm,
    transposed,
    truth,
    unpooling,
    volume,
    window,
)
from stowage.ir.ops.all import OPS
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.tensor_type import Quant, TensorType

TENSOR = Quant((0.5,), (3,))
CHANNELS = Quant((0.5, 0.25), (0, 1), axis=1)
TABLE = TensorType((5, 2), DType.I32)


def real(*shape: int) -> TensorType:
    return TensorType(shape, DType.F32)


def byte(*shape: int, quant: Quant | None = TENSOR) -> TensorType:
    return TensorType(shape, DType.I8, quant)


def word(*shape: int) -> TensorType:
    return TensorType(shape, DType.I32)


def sums_of(pixels: int) -> TensorType:
    """Of three channels with the zero point 3."""
    return TensorType((1, 1, 1, 3), DType.I32, Quant((0.5,), (3 * pixels,)))


def truths(*shape: int) -> TensorType:
    return TensorType(shape, DType.BOOL)


CASES: list[tuple[Op, tuple[TensorType, ...], TensorType]] = [
    (window.Conv2d(strides=(2, 1), pads=(1, 0, 1, 2)), (real(1, 7, 5, 3), real(8, 3, 3, 3), real(8)), real(1, 4, 5, 8)),
    (window.Conv2d(groups=2, dilations=(2, 2)), (real(2, 7, 7, 4), real(6, 3, 3, 2)), real(2, 3, 3, 6)),
    (window.Conv2d(), (byte(1, 4, 4, 2), byte(3, 1, 1, 2), word(3)), byte(1, 4, 4, 3, quant=None)),
    (window.DepthwiseConv2d(), (real(1, 4, 4, 2), real(3, 3, 4), real(4)), real(1, 2, 2, 4)),
    (window.MaxPool2d((2, 2), strides=(2, 2)), (byte(1, 5, 4, 2),), byte(1, 2, 2, 2)),
    (
        window.AveragePool2d((2, 2), strides=(2, 2), pads=(1, 1, 0, 0)),
        (byte(1, 5, 4, 2),),
        byte(1, 3, 2, 2, quant=None),
    ),
    (pool_rows.PoolSum(), (byte(1, 2, 4, 3, quant=Quant((0.5,), (3,))),), sums_of(8)),
    (pool_rows.PoolSum(), (byte(1, 2, 4, 3, quant=Quant((0.5,), (3,))), sums_of(12)), sums_of(20)),
    (pool_rows.PoolMean(window.AveragePool2d((5, 4), strides=(5, 4))), (sums_of(20),), byte(1, 1, 1, 3, quant=None)),
    (fed_rows.FeedRows(3, 2), (byte(1, 5, 4, 3),), byte(1, 2, 4, 3)),
    (linear.FullyConnected(), (real(2, 3, 4), real(5, 4), real(5)), real(2, 3, 5)),
    (linear.MatMul(), (real(7, 1, 2, 3), real(4, 3, 5)), real(7, 4, 2, 5)),
    (linear.MatMul(), (real(3), real(4, 3, 5)), real(4, 5)),
    (linear.MatMul(), (real(2, 3), real(3)), real(2)),
    (linear.MatMul(), (real(3), real(3)), real()),
    (linear.Gemm(transpose_a=True, transpose_b=True), (real(4, 2), real(3, 4), real(3)), real(2, 3)),
    (elementwise.Add(), (real(2, 1, 3), real(4, 1)), real(2, 4, 3)),
    (elementwise.Sub(), (byte(2, 3), byte()), byte(2, 3, quant=None)),
    (elementwise.Div(), (word(0, 3), word(1)), word(0, 3)),
    (elementwise.Relu(), (word(2),), word(2)),
    (elementwise.Mul(), (word(3), word(2, 1)), word(2, 3)),
    *[
        (op, (byte(2),), byte(2, quant=None))
        for op in (
            elementwise.Clip(0.0, 6.0),
            elementwise.LeakyRelu(),
            elementwise.HardSigmoid(),
            elementwise.HardSwish(),
            elementwise.Sigmoid(),
            elementwise.Tanh(),
        )
    ],
    *[
        (record(), (byte(2),), byte(2, quant=None))
        for record in OPS.values()
        if issubclass(record, function.NumberFunction) and record.__module__ == function.__name__
    ],
    *[(record(), (real(2),), real(2)) for record in angle.ANGLES],
    *[
        (record(), (real(2, 1), real(3)), real(2, 3))
        for record in OPS.values()
        if issubclass(record, combination.NumberCombination) and not issubclass(record, bits.Shift)
    ],
    *[
        (record(), (word(2, 1), word(3)), word(2, 3))
        for record in (bits.ShiftLeft, bits.ShiftRight, combination.Pow, combination.And)
    ],
    (bits.BitCast(DType.I32), (real(2, 3),), word(2, 3)),
    *[
        (record(), (word(2, 1), word(3)), truths(2, 3))
        for record in OPS.values()
        if issubclass(record, combination.Comparison)
    ],
    *[
        (record(), (truths(2, 1), truths(3)), truths(2, 3))
        for record in OPS.values()
        if issubclass(record, combination.Connective)
    ],
    (combination.Equal(), (truths(2), truths(2)), truths(2)),
    (combination.Where(), (truths(2, 1), byte(3), byte(1)), byte(2, 3)),
    (truth.Not(), (truths(2),), truths(2)),
    (truth.Not(), (word(2),), word(2)),
    (reduction.ReduceMax((0,)), (truths(2, 3),), truths(1, 3)),
    (truth.IsNan(), (real(2),), truths(2)),
    (truth.IsInf(), (real(2),), truths(2)),
    *[
        (record((1,), keepdims), (real(2, 3),), real(2, 1) if keepdims else real(2))
        for record in OPS.values()
        for keepdims in (True, False)
        if issubclass(record, reduction.Reduction)
    ],
    (reduction.Normalize((1,)), (real(2, 3),), real(2, 3)),
    (reduction.CumSum(1), (word(2, 3),), word(2, 3)),
    (reduction.CumProd(1), (word(2, 3),), word(2, 3)),
    (linear.Det(), (real(2, 3, 3),), real(2)),
    (elementwise.Cast(DType.I32), (real(2, 2),), word(2, 2)),
    (elementwise.Quantize(DType.I8, CHANNELS), (real(3, 2),), byte(3, 2, quant=CHANNELS)),
    (elementwise.Dequantize(), (byte(3, 2, quant=CHANNELS),), real(3, 2)),
    (elementwise.Table(), (byte(4), real(256)), real(4)),
    (reduction.ReduceMean((1, 2)), (real(1, 4, 5, 6),), real(1, 1, 1, 6)),
    (reduction.ReduceMean((1, 2), keepdims=False), (real(1, 4, 5, 6),), real(1, 6)),
    (reduction.Softmax(1), (real(2, 3),), real(2, 3)),
    (reduction.ArgMax(1, keepdims=False), (byte(2, 3),), TensorType((2,), DType.I64)),
    (reduction.BatchNormalization(1), (real(2, 3, 4), *[real(3)] * 4), real(2, 3, 4)),
    (movement.Reshape((6,)), (byte(2, 3),), byte(6)),
    (
        movement.Reshape((1, 3, 2)),
        (byte(3, 2, quant=CHANNELS),),
        byte(1, 3, 2, quant=Quant((0.5, 0.25), (0, 1), axis=2)),
    ),
    (movement.Transpose((1, 0)), (byte(3, 2, quant=CHANNELS),), byte(2, 3, quant=Quant((0.5, 0.25), (0, 1), axis=0))),
    (movement.Concat(1), (byte(2, 1), byte(2, 2)), byte(2, 3)),
    (
        movement.Slice((3, 1), (2, 1), (-2, 1)),
        (byte(4, 2, quant=CHANNELS),),
        byte(2, 1, quant=Quant((0.25,), (1,), axis=1)),
    ),
    (movement.Pad((1, 0), (-1, 2)), (real(2, 3),), real(2, 5)),
    (movement.Pad((2, 0), (2, 0), mode="reflect"), (real(3, 1),), real(7, 1)),
    (movement.Resize((4, 6), (2.0, 2.0)), (real(1, 2, 3, 5),), real(1, 4, 6, 5)),
    (resample.Resample(1), (real(2, 3, 4), TABLE, real(5, 2)), real(2, 5, 4)),
    (
        unpooling.MaxPoolIndices((1, 2, 2)),
        (byte(1, 2, 3, 4, 5),),
        TensorType((1, 2, 2, 3, 5), DType.I64),
    ),
    (unpooling.Unpool((3, 4)), (real(5), TensorType((5,), DType.I64)), real(3, 4)),
    (sampling.GridSample(), (real(2, 3, 4, 5), real(2, 6, 7, 2)), real(2, 6, 7, 5)),
    (sampling.RoiAlign((2, 3)), (real(2, 3, 4, 5), real(6, 4), TensorType((6,), DType.I64)), real(6, 2, 3, 5)),
    (
        sampling.DeformConv2d(groups=2, offset_groups=4),
        (real(1, 5, 6, 4), real(2, 3, 2, 2), real(2), real(1, 3, 5, 48), real(1, 3, 5, 24)),
        real(1, 3, 5, 2),
    ),
    (selection.Expand((2, 3)), (byte(2, 1),), byte(2, 3)),
    (selection.Gather(1), (byte(2, 5), word(3, 4)), byte(2, 3, 4)),
    (selection.GatherElements(1), (byte(2, 5), word(2, 3)), byte(2, 3)),
    (selection.GatherNd(1), (real(2, 3, 4), word(2, 5, 1)), real(2, 5, 4)),
    (selection.ScatterNd(), (real(3, 4), word(2, 1), real(2, 4)), real(3, 4)),
    (selection.ScatterElements(1), (real(3, 4), word(2, 5), real(2, 5)), real(3, 4)),
    (selection.TopK(1, 2), (byte(3, 4),), TensorType((3, 2), DType.I64)),
    (transposed.ConvTranspose2d((6, 8), (2, 2)), (real(1, 3, 4, 4), real(6, 2, 2, 4), real(6)), real(1, 6, 8, 6)),
    (transposed.ConvTranspose3d((6, 8, 3)), (real(1, 3, 4, 4, 2), real(6, 2, 2, 4, 2)), real(1, 6, 8, 3, 6)),
    (
        residual.Conv2dAdd(window.Conv2d(pads=(1, 1, 1, 1)), None, elementwise.Add()),
        (real(1, 4, 5, 2), real(6, 3, 3, 2), real(6), real(1, 4, 5, 6)),
        real(1, 4, 5, 6),
    ),
    (
        beside.Conv2dBeside(window.Conv2d(), False),
        (real(1, 4, 5, 2), real(6, 1, 1, 2), real(6), real(1, 4, 5, 3)),
        real(1, 4, 5, 9),
    ),
    (
        beside.ConvTranspose2dBeside(transposed.ConvTranspose2d((6, 8), (2, 2)), True),
        (real(1, 3, 4, 4), real(6, 2, 2, 4), real(1, 6, 8, 1)),
        real(1, 6, 8, 7),
    ),
    (
        beside.FullyConnectedBeside(linear.FullyConnected(), True),
        (real(3, 4), real(6, 4), real(3, 2)),
        real(3, 8),
    ),
    (beside.MaxPool2dBeside(window.MaxPool2d((2, 2)), True), (byte(1, 4, 4, 2), byte(1, 3, 3, 1)), byte(1, 3, 3, 3)),
    (
        beside.AveragePool2dBeside(window.AveragePool2d((2, 2)), False),
        (byte(1, 4, 4, 2), byte(1, 3, 3, 1)),
        byte(1, 3, 3, 3),
    ),
    (volume.Conv3d((2, 1, 1)), (real(1, 5, 4, 4, 2), real(6, 2, 2, 4, 2), real(6)), real(1, 2, 3, 1, 6)),
    (recurrent.Lstm(), (real(5, 2, 3), real(16, 3), real(16, 4), real(32), real(2, 4), real(2, 4)), real(5, 2, 4)),
    (recurrent.Gru(result="hidden"), (real(5, 2, 3), real(12, 3), real(12, 4), real(24), real(2, 4)), real(2, 4)),
    (recurrent.Rnn(), (real(5, 2, 3), real(4, 3), real(4, 4), real(8), real(2, 4)), real(5, 2, 4)),
    (movement.Constant("0" * 16, word(2)), (), word(2)),
]


@pytest.mark.parametrize(("op", "operands", "expected"), CASES, ids=lambda item: getattr(item, "mnemonic", ""))
def test_result_type(op: Op, operands: tuple[TensorType, ...], expected: TensorType) -> None:
    assert op.result_types(operands) == (expected,)


CELL = TensorType((2, 4), DType.I16, Quant((2.0**-11,), (0,)))
SEVERAL: list[tuple[Op, tuple[TensorType, ...], tuple[TensorType, ...]]] = [
    (
        sequence_lstm.SequenceLstm(),
        (real(5, 2, 3), real(16, 3), real(16, 4), real(16), real(2, 4), real(2, 4)),
        (real(5, 2, 4), real(2, 4)),
    ),
    (
        sequence_lstm.SequenceLstm(10.0),
        (byte(5, 2, 3), byte(16, 3), byte(16, 4), word(16), byte(2, 4), CELL),
        (byte(5, 2, 4), CELL),
    ),
    (npu.NpuSegment(("conv", "add"), (byte(1, 4), byte(2))), (byte(1, 2, 2, 3),), (byte(1, 4), byte(2))),
]


@pytest.mark.parametrize(("op", "operands", "expected"), SEVERAL)
def test_several_result_types(op: Op, operands: tuple[TensorType, ...], expected: tuple[TensorType, ...]) -> None:
    assert op.result_types(operands) == expected


def test_every_operator_has_a_case() -> None:
    assert {type(op) for op, *_ in (*CASES, *SEVERAL)} == set(OPS.values())


REFUSED: list[tuple[Op, tuple[TensorType, ...], str]] = [
    (window.Conv2d(), (real(1, 4, 4, 2),), r"takes the operands input, weights, bias \(optional\), but has 1"),
    (window.Conv2d(), (real(4, 4, 2), real(1, 1, 1, 2)), r"input has shape \[4, 4, 2\], but must be \[N, H, W, I\]"),
    (
        window.Conv2d(),
        (real(1, 4, 4, 3), real(1, 1, 1, 2)),
        "weights take 2 channels in each of 1 groups, but input has 3",
    ),
    (window.Conv2d(groups=2), (real(1, 4, 4, 3), real(2, 1, 1, 2)), "2 groups do not divide 3 input and 2 output"),
    (
        window.Conv2d(),
        (real(1, 2, 4, 1), real(1, 3, 1, 1)),
        "spans 3 elements, but the padded height of the input has only 2",
    ),
    (
        residual.Conv2dAdd(window.Conv2d(), None, elementwise.Add()),
        (real(1, 4, 4, 3), real(2, 1, 1, 3), real(2), real(1, 1, 1, 2)),
        r"the addend has shape \[1, 1, 1, 2\], but the convolution makes \[1, 4, 4, 2\]",
    ),
    (
        beside.Conv2dBeside(window.Conv2d(), False),
        (real(1, 4, 4, 3), real(2, 1, 1, 3), real(2), real(1, 4, 3, 2)),
        r"cannot lie beside .* in each pixel",
    ),
    (
        beside.MaxPool2dBeside(window.MaxPool2d((2, 2)), False),
        (real(1, 4, 4, 3),),
        "takes the operands of max_pool2d and what is kept, but has 1",
    ),
    (window.Conv2d(strides=(0, 1)), (real(1, 4, 4, 1), real(1, 1, 1, 1)), "a kernel, stride or dilation below 1"),
    (
        window.Conv2d(),
        (real(1, 4, 4, 1), real(1, 1, 1, 1), real(2)),
        r"bias has shape \[2\], but there are 1 output channels",
    ),
    (window.Conv2d(), (byte(1, 4, 4, 1), byte(1, 1, 1, 1), real(1)), "bias has elements of type f32"),
    (
        window.Conv2d(),
        (byte(1, 4, 4, 1), real(1, 1, 1, 1)),
        "weights has elements of type f32, but quantised products need",
    ),
    (
        window.Conv2d(),
        (byte(1, 4, 4, 1, quant=None), byte(1, 1, 1, 1)),
        "input has elements of type i8 without quantisation",
    ),
    (window.DepthwiseConv2d(), (real(1, 4, 4, 2), real(1, 1, 3)), "3 channels, which is no multiple of the input's 2"),
    (window.MaxPool2d((1, 1), pads=(1, 0, 0, 0)), (real(1, 4, 4, 2),), "nothing but padding along the height of 4"),
    (window.MaxPool2d((2, 1), dilations=(2, 1), pads=(1, 0, 1, 0)), (real(1, 1, 1, 1),), "nothing but padding"),
    (linear.FullyConnected(), (real(2, 3), real(5, 4)), r"weights take 4 inputs, but the input has shape \[2, 3\]"),
    (linear.MatMul(), (real(2, 3), real(4, 5)), "3 columns meet 4 rows"),
    (linear.MatMul(), (real(), real(4, 5)), "a scalar has no matrix product"),
    (linear.Gemm(), (real(2, 3), real(3, 4), real(3)), "do not broadcast: extents 3 and 4 meet"),
    (elementwise.Add(), (real(2, 3), real(2)), "do not broadcast: extents 3 and 2 meet"),
    (elementwise.Add(), (real(2), word(2)), "a has elements of type f32, but b of type i32"),
    (elementwise.Add(), (byte(2), byte(2, quant=None)), "one of a and b is quantised and the other is not"),
    (elementwise.Tanh(), (word(2),), "input has elements of type i32 without quantisation"),
    (elementwise.Quantize(DType.I8, CHANNELS), (real(3, 3),), "there are 2 scales for axis 1"),
    (elementwise.Dequantize(), (word(2),), "input is not quantised"),
    (elementwise.Table(), (word(2), real(256)), "only i8 or ui8 can index a table"),
    (elementwise.Table(), (byte(2), real(255)), "must have 256 entries"),
    (combination.Less(), (real(2), word(2)), "a has elements of type f32, but b of type i32"),
    (combination.And(), (truths(2), word(2)), "a has elements of type i1, but b of type i32"),
    (combination.And(), (real(2), real(2)), "a has elements of type f32, but truth values or integers"),
    (bits.ShiftLeft(), (real(2), real(2)), "a has elements of type f32"),
    (bits.BitCast(DType.I16), (real(2),), "the bits of f32 are no elements of type i16"),
    (bits.BitCast(DType.BOOL), (byte(2, quant=None),), "the bits of i8 are no elements of type i1"),
    (combination.Where(), (truths(2), byte(2), byte(2, quant=Quant((1.0,), (0,)))), "different quantisations"),
    (truth.Not(), (real(2),), "but truth values"),
    (reduction.ReduceSum((2,)), (real(2, 3),), "axis 2 does not exist"),
    (reduction.ReduceSum((0,)), (truths(2),), "numbers are needed"),
    (reduction.Softmax(2), (real(2, 3),), r"axis 2 does not exist in the input of shape \[2, 3\]"),
    (reduction.ArgMax(1), (real(2, 0),), "is empty and has no largest element"),
    (
        reduction.BatchNormalization(1),
        (real(2, 3), real(3), real(2), real(3), real(3)),
        "bias has shape .*has 3 channels",
    ),
    (movement.Reshape((5,)), (real(2, 3),), r"input has 6 elements, but shape \[5\] has 5"),
    (movement.Reshape((6,)), (byte(3, 2, quant=CHANNELS),), "splits or merges the quantised axis 1"),
    (movement.Transpose((0, 0)), (real(2, 3),), "is no permutation of the axes"),
    (movement.Concat(1), (), "takes one or more operands"),
    (movement.Concat(1), (real(2, 3), real(3, 3)), "operand 1 of shape .* cannot follow .* on axis 1"),
    (movement.Concat(0), (byte(2), byte(2, quant=Quant((1.0,), (0,)))), "another quantisation than operand 0"),
    (
        movement.Concat(1),
        (byte(2, 2, quant=CHANNELS),) * 2,
        "concatenates along axis 1, along which the input is quantised",
    ),
    (movement.Slice((3,), (2,), (1,)), (real(4),), "2 elements from 3 in steps of 1 leave axis 0 of extent 4"),
    (movement.Pad((-3,), (0,)), (real(2),), "crop more than the extent 2 of axis 0"),
    (movement.Pad((2,), (0,), mode="reflect"), (real(2),), "too short for pads 2 and 0 in mode reflect"),
    (movement.Pad((1,), (0,), mode="edge"), (real(0),), "too short for pads 1 and 0 in mode edge"),
    (selection.Gather(0), (real(2), real(2)), "indices have elements of type f32"),
    (selection.GatherElements(0), (real(2, 2), word(2, 3)), "leave the input"),
    (selection.GatherNd(), (real(2, 2), word(2, 3)), "do not index"),
    (selection.ScatterNd(), (real(2, 2), word(1, 1), real(1, 3)), "do not go with indices"),
    (
        transposed.ConvTranspose2d((2, 2)),
        (real(1, 1, 1, 3), real(1, 2, 2, 2)),
        "weights take 2 channels in each of 1 groups, but input has 3",
    ),
    (volume.Conv3d(), (real(1, 2, 2, 2, 3), real(1, 3, 1, 1, 3)), "spans 3 elements, but the padded depth"),
    (resample.Resample(1), (real(2, 3), TABLE, real(5, 3)), r"places \[5, 2\] and weights \[5, 3\]"),
    (resample.Resample(1), (real(2, 3), real(5, 2), TABLE), "places are f32 and weights i32"),
    (
        unpooling.MaxPoolIndices((2, 1, 1), pads=(2, 0, 0, 0, 0, 0)),
        (real(1, 3, 2, 2, 1),),
        "nothing but padding along the depth",
    ),
    (unpooling.Unpool((3, 4)), (real(5), word(5)), "do not place"),
    (sampling.GridSample(), (real(2, 3, 4, 5), real(2, 6, 7, 3)), "has no places in an input"),
    (sampling.RoiAlign((2, 3)), (real(2, 3, 4, 5), real(6, 4), word(6)), "do not go together"),
    (
        sampling.DeformConv2d(),
        (real(1, 5, 6, 4), real(2, 3, 2, 4), real(2), real(1, 3, 5, 10)),
        r"offsets have shape \[1, 3, 5, 10\], but must have \[1, 3, 5, 12\]",
    ),
    (volume.Conv3d(), (real(1, 2, 2, 3), real(1, 1, 1, 3)), r"must be \[N, D, H, W, I\]"),
    (selection.ScatterElements(1), (real(2, 2), word(3, 1), real(3, 1)), "leave the input"),
    (selection.ScatterElements(0), (real(2, 2), word(3, 1), real(1, 3)), "do not go with indices"),
    (selection.TopK(0, 3), (real(2, 2),), "3 of 2 elements along axis 0"),
    (linear.Det(), (real(2, 3),), "does not end in a square matrix"),
    (
        sequence_lstm.SequenceLstm(),
        (byte(5, 2, 3), byte(16, 3), byte(16, 4), word(16), byte(2, 4), byte(2, 4)),
        "an operand is i8.2, 4., but must be i16",
    ),
    (recurrent.Rnn(result="cell"), (real(5, 2, 3), real(4, 3), real(4, 4), real(8), real(2, 4)), "no result cell"),
    (recurrent.Rnn(), (real(5, 2, 3), real(4, 2), real(4, 4), real(8), real(2, 4)), "but must be"),
    (movement.Resize((0, 1), (1.0, 1.0)), (real(1, 1, 1, 1),), "cannot resize"),
]


@pytest.mark.parametrize(("op", "operands", "message"), REFUSED, ids=lambda item: getattr(item, "mnemonic", ""))
def test_refusal(op: Op, operands: tuple[TensorType, ...], message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        op.result_types(operands)
