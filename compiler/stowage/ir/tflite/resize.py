# SPDX-License-Identifier: Apache-2.0
"""TFLite's bilinear interpolation of integers: places in the input with 10 fraction bits, one rounding at the end.

The scale, too, is rounded to 10 fraction bits, so that places far from the first are off by more than a float's would
be. An element is the exact sum of its four neighbours with weights of 10 bits each way, divided by 2**20, halves away
from zero.
"""

from __future__ import annotations

import numpy as np

from stowage.ir.ops.movement import Resize
from stowage.ir.tflite.fixed_point import Int64s, divided_by_power

FRACTION_BITS = 10
_ONE = 1 << FRACTION_BITS


def integer_taps(op: Resize, axis: int, extent: int) -> tuple[Int64s, Int64s, Int64s]:
    """The two input indices that each place along the height (axis 0) or width (axis 1) lies between, and the weight of
    the second with FRACTION_BITS fraction bits."""
    size = op.size[axis]
    scale = (_ONE * extent + size // 2) // size
    if op.coordinates == "align_corners" and size > 1:
        scale = (_ONE * (extent - 1) + (size - 1) // 2) // (size - 1)
    places = np.arange(size, dtype=np.int64) * scale
    if op.coordinates == "half_pixel":
        places += scale // 2 - _ONE // 2
    within = np.clip(places, 0, _ONE * (extent - 1))
    lower = within >> FRACTION_BITS
    return lower, np.minimum(lower + 1, extent - 1), within & (_ONE - 1)


def resized_integers(op: Resize, image: Int64s) -> Int64s:
    """An image [N, H, W, C] resized."""
    for axis, extent in enumerate(image.shape[1:3]):
        lower, upper, weight = integer_taps(op, axis, extent)
        weights = weight.reshape([-1 if position == axis + 1 else 1 for position in range(4)])
        image = np.take(image, lower, axis + 1) * (_ONE - weights) + np.take(image, upper, axis + 1) * weights
    return divided_by_power(image, 2 * FRACTION_BITS)
