# SPDX-License-Identifier: Apache-2.0
"""Which tensor of the model a value of the compiled graph stands for, and what the value should be.

Passes keep a tensor's name or add to its end: `x.max_pool2d.quantised` is what the model calls `x`, as integers. Images
are NHWC here and NCHW there. An integer value whose tensor is real in the model (between DequantizeLinear and
QuantizeLinear) should be that tensor as QuantizeLinear makes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from stowage.ir.graph import Array, Value
from stowage.ir.ops.op import Op
from stowage.ir.quantised_clamp import quantised_bounds
from stowage.ir.tensor_type import Quant

_ENDING = re.compile(r"(\.quantised|\.clamped|\.bias|\.resize|\.(\w+_)?(\w+2d|mean|product)|_transposed|_\d+)$")
_PERMUTATIONS = ((0, 2, 3, 1), (0, 2, 1))


def counterparts(value: Value, op: Op, tensors: Mapping[str, Array]) -> list[Array]:
    """What an operator's result should be: nothing where no tensor has its name, two arrays where both layouts fit.

    `x.clamped` is `x` with an activation that the model applies later, behind an operator that leaves order alone.
    """
    name = value.name
    while name not in tensors and _ENDING.search(name):
        name = _ENDING.sub("", name)
    if name not in tensors:
        return []
    typed = (_as_type(array, value) for array in _laid_out(tensors[name], value.type.shape))
    clamp = getattr(op, "clamp", None) if ".clamped" in value.name else None
    return [array if clamp is None else _clamped(array, clamp, value) for array in typed if array is not None]


def _clamped(array: Array, clamp: tuple[float, float], value: Value) -> Array:
    bounds = clamp if value.type.quant is None else quantised_bounds(clamp, value.type)
    return np.clip(array, *(np.asarray(bound, array.dtype) for bound in bounds))


def _laid_out(array: Array, shape: tuple[int, ...]) -> list[Array]:
    """The array in every layout that has the value's shape, as it is first."""
    orders = [tuple(range(array.ndim)), *_PERMUTATIONS]
    layouts = [np.transpose(array, order) for order in orders if len(order) == array.ndim]
    return [layout for layout in layouts if layout.shape == shape]


def _as_type(array: Array, value: Value) -> Array | None:
    dtype, quant = value.type.dtype.numpy, value.type.quant
    if array.dtype == dtype:
        return array
    if array.dtype == np.uint8 and dtype == np.int8:
        return (array.astype(np.int16) - 128).astype(np.int8)
    if array.dtype == np.float32 and quant is not None and quant.axis is None:
        return quantised(array, quant, dtype.name)
    return None


def quantised(array: Array, quant: Quant, dtype: str) -> Array:
    """QuantizeLinear: float32 division, ties to even, saturation."""
    limits = np.iinfo(dtype)
    steps = np.rint(array.astype(np.float32) / np.float32(quant.scale)).astype(np.float64)
    return np.asarray(np.clip(steps + quant.zero_point, limits.min, limits.max).astype(dtype))
