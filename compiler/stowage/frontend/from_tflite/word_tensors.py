# SPDX-License-Identifier: Apache-2.0
"""Test support: 16-bit tensors to make models of."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.model_making import Tensor
from stowage.ir.graph import Array


def words(shape: tuple[int, ...], scale: float) -> Tensor:
    """A 16-bit tensor of that scale."""
    return Tensor(shape, "int16", None, (scale,), (0,))


def integers(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Elements of it, all as likely."""
    return random.integers(-(2**15), 2**15, shape).astype(np.int16)


def scale(random: np.random.Generator, centre: float = 2e-4) -> float:
    """A scale near `centre`."""
    return float(np.float32(centre * np.exp(random.uniform(-1.5, 1.5))))
