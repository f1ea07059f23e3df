# SPDX-License-Identifier: Apache-2.0
"""Conversions of element types against ONNX Runtime, and the corners that ONNX leaves open."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper

from stowage.ir.dtype import DType
from stowage.ir.ops import elementwise
from stowage.ir.reference.onnx_oracle import AnyArray, onnx_runtime, reference
from stowage.ir.tensor_type import Quant

SEEDS = st.integers(0, 2**32 - 1)
SCALES = st.floats(min_value=2.0**-10, max_value=2.0**4, width=32)
CASTS = [DType.F32, DType.F64, DType.F16, DType.I8, DType.U8, DType.I16, DType.U16, DType.I32, DType.I64, DType.BOOL]


def numbers(source: DType) -> AnyArray:
    """Numbers that every element type holds, and for integers those at their limits too."""
    if source.is_float:
        return np.array([0, 1.75, 2.5, 100.99, 0.25, 127], dtype=source.numpy)
    if source is DType.BOOL:
        return np.array([False, True])
    limits = np.iinfo(source.numpy.name)
    return np.array([0, 1, 100, limits.min, limits.max], dtype=source.numpy)


@pytest.mark.parametrize("source", CASTS)
@pytest.mark.parametrize("target", CASTS)
def test_cast(source: DType, target: DType) -> None:
    data = numbers(source)
    if source in (DType.I32, DType.I64) and target is DType.F16:
        data = data[:3]
    theirs = onnx_runtime("Cast", [data], to=int(helper.np_dtype_to_tensor_dtype(target.numpy)))
    np.testing.assert_array_equal(reference(elementwise.Cast(target), [data]), theirs)


def test_cast_of_floats_beyond_the_range_saturates_to_a_float() -> None:
    data = np.array([-300.5, 300.5, 3e9, -np.inf, np.inf, np.nan, -np.nan], dtype=np.float32)
    assert reference(elementwise.Cast(DType.I8), [data]).tolist() == [-128, 127, 127, -128, 127, 127, -128]
    assert reference(elementwise.Cast(DType.U8), [data])[:2].tolist() == [0, 255]
    assert reference(elementwise.Cast(DType.I32), [data])[2:5].tolist() == [2147483520, -(2**31), 2147483520]
    assert reference(elementwise.Cast(DType.I64), [data])[3:5].tolist() == [-(2**63), 2**63 - 2**39]


@settings(deadline=None)
@given(SEEDS, SCALES, st.sampled_from([DType.I8, DType.U8, DType.I16]), st.booleans())
def test_quantize(seed: int, scale: float, dtype: DType, by_axis: bool) -> None:
    rng = np.random.default_rng(seed)
    scales = [scale, scale / 2, scale * 3] if by_axis else [scale]
    zero_points = rng.integers(0, 100, len(scales))
    data = (rng.standard_normal((4, 3)) * 100 * scale).astype(np.float32)
    data[0, 0] = 2.5 * scale
    rounded = np.array(scales, dtype=np.float32)
    quant = Quant(tuple(rounded.astype(float)), tuple(zero_points.tolist()), 1 if by_axis else None)
    shape = (3,) if by_axis else ()
    parameters = [rounded.reshape(shape), zero_points.astype(dtype.numpy).reshape(shape)]
    theirs = onnx_runtime("QuantizeLinear", [data, *parameters], axis=1)
    np.testing.assert_array_equal(reference(elementwise.Quantize(dtype, quant), [data]), theirs)


@settings(deadline=None)
@given(SEEDS, SCALES, st.sampled_from([DType.I8, DType.U8, DType.I16]))
def test_dequantize(seed: int, scale: float, dtype: DType) -> None:
    rng = np.random.default_rng(seed)
    data, zero_point = rng.integers(0, 127, (4, 3)).astype(dtype.numpy), np.asarray(rng.integers(0, 100), dtype.numpy)
    theirs = onnx_runtime("DequantizeLinear", [data, np.asarray(scale, np.float32), zero_point])
    ours = reference(elementwise.Dequantize(), [data], [Quant((scale,), (int(zero_point),))])
    np.testing.assert_array_equal(ours, theirs)


def test_quantize_rounds_half_to_even_and_saturates() -> None:
    data = np.array([0.5, 1.5, -0.5, 1e30, -1e30, np.inf, np.nan, -np.nan], dtype=np.float32)
    ours = reference(elementwise.Quantize(DType.I8, Quant((1.0,), (1,))), [data])
    assert ours.tolist() == [1, 3, 1, 127, -128, 127, 127, -128]


def test_table_is_indexed_from_the_lowest_byte() -> None:
    table = np.arange(256, dtype=np.float32)
    signed, unsigned = np.array([-128, 0, 127], dtype=np.int8), np.array([0, 128, 255], dtype=np.uint8)
    assert reference(elementwise.Table(), [signed, table]).tolist() == [0, 128, 255]
    assert reference(elementwise.Table(), [unsigned, table]).tolist() == [0, 128, 255]
