# SPDX-License-Identifier: Apache-2.0
"""Axes of reals resampled by tabulated filters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stowage.ir.ops.resample import Resample
from stowage.ir.reference.operand import Reals


def resample(op: Resample, operands: Sequence[Reals]) -> Reals:
    """Input [..., extent, ...], places and weights [size, taps] -> [..., size, ...]."""
    data, places, weights = operands
    taken = np.moveaxis(data, op.axis, -1)[..., places.astype(np.int64)]
    return np.moveaxis((taken * weights).sum(axis=-1), -1, op.axis)
