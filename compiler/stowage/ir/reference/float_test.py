# SPDX-License-Identifier: Apache-2.0
"""Float operators against ONNX Runtime, on random shapes and attributes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from stowage.ir.ops import elementwise, linear, movement, reduction, window
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.reference.onnx_oracle import TO_NCHW, TO_NHWC, assert_close, normal, onnx_runtime, reference

ORACLE = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))

SEEDS = st.integers(0, 2**32 - 1)
PAIRS = st.tuples(st.integers(1, 3), st.integers(1, 3))
PADS = st.tuples(*[st.integers(0, 2)] * 4)
IMAGES = st.tuples(st.integers(4, 8), st.integers(4, 8))


@ORACLE
@given(SEEDS, st.integers(1, 3), IMAGES, PAIRS, PAIRS, PAIRS, PAIRS, PADS)
def test_convolution(
    seed: int, groups: int, image: Any, channels: Any, kernel: Any, strides: Any, dilations: Any, pads: Any
) -> None:
    taken, made = channels
    data, weights = normal(seed, 2, *image, groups * taken), normal(seed + 1, groups * made, *kernel, taken)
    bias = normal(seed + 2, groups * made)
    op = window.Conv2d(strides, pads, dilations, groups, clamp=(-1.0, 2.0))
    try:
        ours = reference(op, [data, weights, bias])
    except ShapeError:
        assume(False)
    attributes = {"strides": strides, "pads": pads, "dilations": dilations, "group": groups}
    theirs = onnx_runtime("Conv", [data.transpose(TO_NCHW), weights.transpose(TO_NCHW), bias], **attributes)
    assert_close(ours, np.clip(theirs.transpose(TO_NHWC), -1.0, 2.0))


@ORACLE
@given(SEEDS, st.integers(1, 3), st.integers(1, 3), IMAGES, PAIRS, PAIRS, PAIRS, PADS)
def test_depthwise_convolution_is_a_grouped_one(
    seed: int, channels: int, multiplier: int, image: Any, kernel: Any, strides: Any, dilations: Any, pads: Any
) -> None:
    data, weights = normal(seed, 1, *image, channels), normal(seed + 1, *kernel, channels * multiplier)
    grouped = weights.transpose(2, 0, 1)[..., np.newaxis]
    try:
        ours = reference(window.DepthwiseConv2d(strides, pads, dilations), [data, weights])
    except ShapeError:
        assume(False)
    assert_close(ours, reference(window.Conv2d(strides, pads, dilations, channels), [data, grouped]))


@pytest.mark.parametrize("kind", ["MaxPool", "AveragePool", "AveragePool with padding"])
@ORACLE
@given(SEEDS, IMAGES, PAIRS, PAIRS, PAIRS, PADS)
def test_pooling(kind: str, seed: int, image: Any, kernel: Any, strides: Any, dilations: Any, pads: Any) -> None:
    pads = tuple(pad % size for pad, size in zip(pads, kernel * 2, strict=True))
    data = normal(seed, 2, *image, 3)
    attributes: dict[str, Any] = {"kernel_shape": kernel, "strides": strides, "dilations": dilations, "pads": pads}
    op: Op = window.MaxPool2d(kernel, strides, pads, dilations)
    if kind != "MaxPool":
        attributes["count_include_pad"] = int(kind != "AveragePool")
        op = window.AveragePool2d(kernel, strides, pads, dilations, kind != "AveragePool")
    try:
        ours = reference(op, [data])
    except ShapeError:
        assume(False)
    theirs = onnx_runtime(kind.partition(" ")[0], [data.transpose(TO_NCHW)], **attributes)
    assert_close(ours, theirs.transpose(TO_NHWC))


@ORACLE
@given(
    SEEDS, st.sampled_from([((2, 3), (3, 4)), ((2, 1, 2, 3), (5, 3, 1)), ((3,), (3, 2)), ((2, 3), (3,)), ((4,), (4,))])
)
def test_matmul(seed: int, shapes: Any) -> None:
    a, b = normal(seed, *shapes[0]), normal(seed + 1, *shapes[1])
    assert_close(reference(linear.MatMul(), [a, b]), onnx_runtime("MatMul", [a, b]))


@ORACLE
@given(SEEDS, st.booleans(), st.booleans(), st.sampled_from([(), (4,), (3, 1), (3, 4)]))
def test_gemm(seed: int, transpose_a: bool, transpose_b: bool, bias_shape: Any) -> None:
    a, b, c = normal(seed, 3, 5), normal(seed + 1, 5, 4), normal(seed + 2, *bias_shape)
    a, b = np.ascontiguousarray(a.T) if transpose_a else a, np.ascontiguousarray(b.T) if transpose_b else b
    ours = reference(linear.Gemm(0.5, 2.0, transpose_a, transpose_b), [a, b, c])
    attributes: Any = {"alpha": 0.5, "beta": 2.0, "transA": int(transpose_a), "transB": int(transpose_b)}
    assert_close(ours, onnx_runtime("Gemm", [a, b, c], **attributes))


@ORACLE
@given(SEEDS)
def test_fully_connected_is_a_gemm_of_rows(seed: int) -> None:
    data, weights, bias = normal(seed, 2, 3, 5), normal(seed + 1, 4, 5), normal(seed + 2, 4)
    theirs = onnx_runtime("Gemm", [data.reshape(6, 5), weights, bias], transB=1)
    assert_close(
        reference(linear.FullyConnected(clamp=(0.0, np.inf)), [data, weights, bias]),
        np.maximum(theirs, 0).reshape(2, 3, 4),
    )


BINARY: list[tuple[str, Op]] = [
    ("Add", elementwise.Add()),
    ("Sub", elementwise.Sub()),
    ("Mul", elementwise.Mul()),
    ("Div", elementwise.Div()),
]


@pytest.mark.parametrize(("operator", "op"), BINARY)
@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((2, 1, 3), (4, 1)), ((), (2, 2)), ((0, 3), (1, 3))])
def test_binary(operator: str, op: Op, shapes: Any) -> None:
    a, b = normal(1, *shapes[0]), normal(2, *shapes[1])
    assert_close(reference(op, [a, b]), onnx_runtime(operator, [a, b]))


UNARY: list[tuple[str, Op, dict[str, Any]]] = [
    ("Relu", elementwise.Relu(), {}),
    ("LeakyRelu", elementwise.LeakyRelu(0.3), {"alpha": 0.3}),
    ("HardSigmoid", elementwise.HardSigmoid(0.3, 0.4), {"alpha": 0.3, "beta": 0.4}),
    ("HardSwish", elementwise.HardSwish(), {}),
    ("Sigmoid", elementwise.Sigmoid(), {}),
    ("Tanh", elementwise.Tanh(), {}),
]


@pytest.mark.parametrize(
    ("operator", "op", "attributes"), UNARY, ids=lambda item: item if isinstance(item, str) else ""
)
@ORACLE
@given(SEEDS, st.floats(0.01, 100.0))
def test_unary(operator: str, op: Op, attributes: Any, seed: int, spread: float) -> None:
    data = (normal(seed, 3, 17) * spread).astype(np.float32)
    assert_close(reference(op, [data]), onnx_runtime(operator, [data], **attributes))


def test_clip() -> None:
    data, bounds = normal(0, 50), [np.float32(-0.5), np.float32(0.25)]
    ours = reference(elementwise.Clip(-0.5, 0.25), [data])
    np.testing.assert_array_equal(ours, onnx_runtime("Clip", [data, *map(np.asarray, bounds)]))
    np.testing.assert_array_equal(reference(elementwise.Clip(-np.inf, np.inf), [data]), data)


@ORACLE
@given(SEEDS, st.lists(st.integers(0, 2), unique=True, min_size=1), st.booleans())
def test_reduce_mean(seed: int, axes: Any, keepdims: bool) -> None:
    data = normal(seed, 2, 3, 4)
    theirs = onnx_runtime("ReduceMean", [data, np.array(axes, dtype=np.int64)], keepdims=int(keepdims))
    assert_close(reference(reduction.ReduceMean(tuple(axes), keepdims), [data]), theirs)


@ORACLE
@given(SEEDS, st.integers(0, 2), st.floats(0.1, 80.0))
def test_softmax(seed: int, axis: int, spread: float) -> None:
    data = (normal(seed, 2, 5, 3) * spread).astype(np.float32)
    assert_close(reference(reduction.Softmax(axis), [data]), onnx_runtime("Softmax", [data], axis=axis))


@ORACLE
@given(SEEDS, st.integers(0, 1), st.booleans(), st.booleans())
def test_arg_max(seed: int, axis: int, keepdims: bool, last: bool) -> None:
    data = np.random.default_rng(seed).integers(0, 3, (4, 5)).astype(np.float32)
    attributes = {"axis": axis, "keepdims": int(keepdims), "select_last_index": int(last)}
    theirs = onnx_runtime("ArgMax", [data], **attributes)
    np.testing.assert_array_equal(reference(reduction.ArgMax(axis, keepdims, last), [data]), theirs)


@ORACLE
@given(SEEDS)
def test_batch_normalization(seed: int) -> None:
    data, *parameters = normal(seed, 2, 3, 4), *(normal(seed + k, 3) for k in range(1, 4)), np.abs(normal(seed + 4, 3))
    theirs = onnx_runtime("BatchNormalization", [data, *parameters], epsilon=1e-3)
    assert_close(reference(reduction.BatchNormalization(1, 1e-3), [data, *parameters]), theirs)


@ORACLE
@given(SEEDS, st.permutations(range(4)))
def test_transpose(seed: int, permutation: Any) -> None:
    data = normal(seed, 1, 2, 3, 4)
    ours = reference(movement.Transpose(tuple(permutation)), [data])
    np.testing.assert_array_equal(ours, onnx_runtime("Transpose", [data], perm=permutation))


@pytest.mark.parametrize("axis", [0, 1])
def test_concat(axis: int) -> None:
    parts = [normal(k, *((k + 1, 3) if axis == 0 else (3, k + 1))) for k in range(3)]
    np.testing.assert_array_equal(reference(movement.Concat(axis), parts), onnx_runtime("Concat", parts, axis=axis))


@pytest.mark.parametrize(
    ("op", "starts", "ends", "steps"),
    [
        (movement.Slice((1, 0), (2, 3), (1, 1)), (1, 0), (3, 3), (1, 1)),
        (movement.Slice((3, 2), (2, 3), (-2, -1)), (3, 2), (-9, -9), (-2, -1)),
        (movement.Slice((1, 1), (0, 1), (1, 5)), (1, 1), (1, 3), (1, 5)),
    ],
)
def test_slice(op: movement.Slice, starts: Any, ends: Any, steps: Any) -> None:
    data = normal(3, 4, 3)
    indices = [np.array(part, dtype=np.int64) for part in (starts, ends, (0, 1), steps)]
    np.testing.assert_array_equal(reference(op, [data]), onnx_runtime("Slice", [data, *indices]))


@pytest.mark.parametrize(
    ("mode", "pads"),
    [
        *[(mode, pads) for mode in ("constant", "reflect", "edge", "wrap") for pads in ((0, 1, 2, 0), (2, 2, 2, 2))],
        ("constant", (-1, 1, 1, -1)),
    ],
)
def test_pad(mode: str, pads: Any) -> None:
    data, value = normal(5, 4, 3), np.asarray(np.float32(1.5))
    op = movement.Pad(pads[:2], pads[2:], mode, 1.5)
    theirs = onnx_runtime("Pad", [data, np.array(pads, dtype=np.int64), value], mode=mode)
    np.testing.assert_array_equal(reference(op, [data]), theirs)
