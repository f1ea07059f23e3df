# SPDX-License-Identifier: Apache-2.0
"""TFLite's means of quantised tensors.

A pooling window's mean is the quotient of plain integers, halves away from zero: input and output are quantised alike.
A mean over axes has a multiplier for scale and count together, and rounds twice.
"""

from __future__ import annotations

from stowage.ir.requantise import Multiplier, quantise_multiplier

_QUOTIENT_BITS = 30


def quotient_multiplier(count: int) -> Multiplier:
    """1 / count rounded up: what `Rounding.AWAY` turns a sum of `count` integers into their exact mean with.

    The error of a product with a sum below 2**8 * count is under 2**8 / 2**30 of it, and no quotient is nearer than
    1 / (2 * count) to a half that it is not, so that `count` may be up to 2**21. Of 16-bit integers, which have sums
    of up to 2**15 * count, it may be below 2**14.
    """
    exponent = (count - 1).bit_length()
    shift = _QUOTIENT_BITS + exponent
    return Multiplier(-(-(1 << shift) // count), shift)


def mean_multiplier(input_scale: float, output_scale: float, count: int) -> Multiplier:
    """Scale and count in one: the scales' multiplier divided by the count, downwards, with as many bits as it has."""
    scales = quantise_multiplier(input_scale / output_scale)
    exponent = 31 - scales.shift
    shift = min(count.bit_length() - 1, 32, 31 + exponent)
    return Multiplier((scales.value << shift) // count, scales.shift + shift)
