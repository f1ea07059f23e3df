# SPDX-License-Identifier: Apache-2.0
"""Functions of 8-bit numbers that TFLite tabulates in single precision when it loads a model.

The real number is a product in single precision, as is what the function's value is multiplied by to get steps; these
round halves away from zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array
from stowage.ir.quantised_clamp import integer_range
from stowage.ir.tensor_type import TensorType
from stowage.ir.tflite.change_of_scale import rescaled

Reals = NDArray[np.float64]
_ROOT_HALF = math.sqrt(0.5)
_GELU_CUBIC = 0.044715


def _log(x: Reals) -> Reals:
    """Of what has no logarithm minus infinity, which saturates."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x > 0, np.log(np.where(x > 0, x, 1.0)), -np.inf)


def _gelu(x: Reals) -> Reals:
    half_error: Reals = np.array([math.erf(each * _ROOT_HALF) for each in x])
    return 0.5 * x * (1.0 + half_error)


def _gelu_tanh(x: Reals) -> Reals:
    inner: Reals = math.sqrt(2.0 / math.pi) * (x + _GELU_CUBIC * x**3)
    return 0.5 * x * (1.0 + np.tanh(inner))


FUNCTIONS: Mapping[str, Callable[[Reals], Reals]] = {
    "elu": lambda x: np.where(x < 0, np.expm1(x), x),
    "exp": np.exp,
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
    "log": _log,
}
"""By the mnemonic of the IR's operator."""


def every_centred(source: TensorType) -> NDArray[np.int64]:
    """All integers of an 8-bit type without its zero point, from the lowest on."""
    assert source.quant is not None
    lowest, highest = integer_range(source.dtype)
    return np.arange(lowest, highest + 1, dtype=np.int64) - source.quant.zero_point


def function_table(name: str, source: TensorType, result: TensorType) -> Array:
    """What every integer of an 8-bit type, from the lowest on, becomes under one of FUNCTIONS."""
    assert source.quant is not None and result.quant is not None
    reals = (np.float32(source.quant.scale) * every_centred(source).astype(np.float32)).astype(np.float64)
    inverse = np.float32(1.0) / np.float32(result.quant.scale)
    with np.errstate(over="ignore"):
        steps = (FUNCTIONS[name](reals).astype(np.float32) * inverse).astype(np.float64)
    whole = np.copysign(np.floor(np.abs(steps) + 0.5), steps)
    return _stored(whole, result)


def absolute_table(source: TensorType, result: TensorType) -> Array:
    """What every integer becomes in its size, brought to another scale in integers."""
    assert source.quant is not None and result.quant is not None
    sizes = np.abs(every_centred(source))
    same = source.quant.scale == result.quant.scale
    return _stored(sizes if same else rescaled(sizes, source.quant.scale / result.quant.scale), result)


def _stored(steps: Array, result: TensorType) -> Array:
    assert result.quant is not None
    clamped: Array = np.clip(steps + result.quant.zero_point, *integer_range(result.dtype))
    return clamped.astype(result.dtype.numpy)
