# SPDX-License-Identifier: Apache-2.0
"""What is known of a tensor at build time: its shape, its element type and, where integers stand for reals, how."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stowage.ir.dtype import DType


@dataclass(frozen=True, slots=True)
class Quant:
    """Affine quantisation: real = scale * (integer - zero_point), per tensor or along one axis.

    Attributes:
        scales: positive scales; one, or as many as the axis is long.
        zero_points: as many as there are scales.
        axis: the quantised axis (non-negative), or None for one scale over the whole tensor.
    """

    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int | None = None

    @property
    def scale(self) -> float:
        """The one scale of a per-tensor quantisation."""
        (scale,) = self.scales
        return scale

    @property
    def zero_point(self) -> int:
        """The one zero point of a per-tensor quantisation."""
        (zero_point,) = self.zero_points
        return zero_point


@dataclass(frozen=True, slots=True)
class TensorType:
    """A tensor's type. Elements lie in row-major order of `shape`; which axis means what is said by the operators.

    Attributes:
        shape: extents; () is a scalar. Every extent is known and non-negative.
        dtype: element type.
        quant: how integer elements stand for reals, or None.
    """

    shape: tuple[int, ...]
    dtype: DType
    quant: Quant | None = None

    @property
    def elements(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def size_bytes(self) -> int:
        """Bytes that the tensor takes in memory."""
        return self.elements * self.dtype.size_bytes
