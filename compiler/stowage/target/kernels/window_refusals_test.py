# SPDX-License-Identifier: Apache-2.0
"""What window and matrix lowerings pack, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Node, Value
from stowage.ir.ops.linear import FullyConnected, Gemm, MatMul
from stowage.ir.ops.window import Conv2d, MaxPool2d
from stowage.ir.tensor_type import Quant, TensorType
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel, Site
from stowage.target.kernels.weights import interleaved

UNIT = Quant((1.0,), (0,))


def int8(name: str, shape: tuple[int, ...], quant: Quant | None = UNIT) -> Value:
    return Value(name, TensorType(shape, DType.I8, quant))


def dense(weights: Array | None, quant: Quant | None = UNIT, bias: Array | None = None) -> tuple[Node, Site]:
    """FullyConnected over 4 inputs to 2 outputs."""
    inputs = [int8("x", (1, 4), Quant((1.0,), (-128,))), int8("w", (2, 4), quant)]
    constants = {} if weights is None else {"w": weights}
    if bias is not None:
        inputs.append(Value("b", TensorType((2,), DType.I32)))
        constants["b"] = bias
    return Node("n", FullyConnected(), tuple(inputs), (int8("y", (1, 2)),)), Site(constants, Arithmetic.ONNX)


def test_channels_are_interleaved_in_fours_and_the_rest_follows() -> None:
    matrix = np.array([[10 * channel + k for k in range(3)] for channel in range(6)], np.int8)
    packed = [0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32, 40, 41, 42, 50, 51, 52]
    assert interleaved(matrix).tolist() == packed


def test_the_zero_point_is_folded_into_the_bias() -> None:
    weights = np.array([[1, 2, 3, 4], [-1, 0, 0, 0]], np.int8)
    call = lower(*dense(weights, bias=np.array([5, 6], np.int32)))
    (bias,) = (constant.array for constant in call.constants if constant.role == "bias")
    assert bias.tolist() == [5 + 128 * 10, 6 - 128]


def test_a_dense_convolution_needs_no_scratch() -> None:
    weights = np.ones((5, 1, 1, 3), np.float32)
    inputs = (Value("x", TensorType((2, 4, 4, 3), DType.F32)), Value("w", TensorType((5, 1, 1, 3), DType.F32)))
    node = Node("n", Conv2d(), inputs, (Value("y", TensorType((2, 4, 4, 5), DType.F32)),))
    site = Site({"w": weights}, Arithmetic.ONNX)
    assert (lower(node, site).function, lower(node, site).scratch_bytes) == ("stw_fully_connected_f32", ())
    strided = replace(node, op=Conv2d(strides=(2, 2)), outputs=(Value("y", TensorType((2, 2, 2, 5), DType.F32)),))
    assert (lower(strided, site).function, lower(strided, site).scratch_bytes) == ("stw_conv2d_f32", (2 * 3 * 4,))


def weights_at_run_time() -> tuple[Node, Site]:
    return dense(None)


def asymmetric_weights() -> tuple[Node, Site]:
    return dense(np.ones((2, 4), np.int8), Quant((1.0,), (3,)))


def overflowing_bias() -> tuple[Node, Site]:
    return dense(np.ones((2, 4), np.int8), bias=np.array([2**30, 0], np.int32))


def mixed_types() -> tuple[Node, Site]:
    node, site = dense(np.ones((2, 4), np.int8))
    return replace(node, outputs=(Value("y", TensorType((1, 2), DType.F32)),)), site


def requantising_pool() -> tuple[Node, Site]:
    output = int8("y", (1, 1, 1, 1), Quant((0.5,), (0,)))
    return Node("n", MaxPool2d((2, 2)), (int8("x", (1, 2, 2, 1)),), (output,)), Site({}, Arithmetic.ONNX)


def long_product() -> tuple[Node, Site]:
    inputs = (int8("a", (1, 20_000)), int8("b", (20_000, 1)))
    return Node("n", MatMul(), inputs, (int8("y", (1, 1)),)), Site({}, Arithmetic.ONNX)


def empty_output() -> tuple[Node, Site]:
    inputs = (Value("a", TensorType((0, 3), DType.F32)), Value("b", TensorType((3, 2), DType.F32)))
    return Node("n", MatMul(), inputs, (Value("y", TensorType((0, 2), DType.F32)),)), Site({}, Arithmetic.ONNX)


def unlowered_operator() -> tuple[Node, Site]:
    node, site = dense(np.ones((2, 4), np.int8))
    return replace(node, op=Gemm()), site


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (weights_at_run_time, 'weights "w" are not constant'),
        (asymmetric_weights, 'weights "w" have a zero point other than 0'),
        (overflowing_bias, "weights and bias allow accumulators up to 1073742848"),
        (mixed_types, "fully_connected of i8, i8 to f32; kernels take i8 or f32 throughout"),
        (requantising_pool, "max pooling between different quantisations"),
        (long_product, "a product over 20000 elements could overflow"),
        (empty_output, r"the output of shape \[0, 2\] is empty"),
        (unlowered_operator, "there is no kernel for gemm"),
    ],
)
def test_refusals(make: Callable[[], tuple[Node, Site]], reason: str) -> None:
    with pytest.raises(NoKernel, match=reason):
        lower(*make())
