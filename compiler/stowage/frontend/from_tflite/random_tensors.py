# SPDX-License-Identifier: Apache-2.0
"""Test support: tensors of an element type, quantised at random where it stands for reals, and elements for them."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.model_making import Tensor
from stowage.ir.graph import Array

_CENTRES = {"int8": 0.05, "uint8": 0.05, "int16": 1e-3}
"""Usual scales."""


def random_tensor(random: np.random.Generator, shape: tuple[int, ...], dtype: str, centre: float = 1.0) -> Tensor:
    """A tensor with a scale near the type's usual one times `centre`; 16-bit ones have no zero point."""
    if dtype not in _CENTRES:
        return Tensor(shape, dtype)
    scale = float(np.float32(_CENTRES[dtype] * centre * np.exp(random.uniform(-1.5, 1.5))))
    limits = np.iinfo(dtype)
    point = 0 if dtype == "int16" else int(random.integers(limits.min, limits.max, endpoint=True))
    return Tensor(shape, dtype, None, (scale,), (point,))


def random_elements(random: np.random.Generator, tensor: Tensor) -> Array:
    """Elements of its type: all integers as likely, reals of a normal distribution, truth values."""
    if tensor.dtype == "float32":
        return random.standard_normal(tensor.shape).astype(np.float32)
    if tensor.dtype == "bool":
        return random.integers(0, 2, tensor.shape).astype(bool)
    limits = np.iinfo(tensor.dtype)
    return random.integers(limits.min, limits.max, tensor.shape, endpoint=True).astype(tensor.dtype)


def tolerance(dtype: str) -> float:
    """What `check` allows: nothing for integers."""
    return 1e-5 if dtype == "float32" else 0.0
