# SPDX-License-Identifier: Apache-2.0
"""TFLite's sum or difference of two quantised tensors.

Both operands are shifted left, brought to twice the larger of the two scales, added, and brought to the output's scale;
each of the three steps rounds twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from stowage.ir.requantise import Multiplier, quantise_multiplier
from stowage.ir.tflite.fixed_point import Int64s, multiplied

_LEFT_SHIFTS = {1: 20, 2: 15}
"""By the bytes of an element."""


@dataclass(frozen=True, slots=True)
class SumMultipliers:
    """What a sum is computed with; all multipliers stand for reals of at most one in magnitude.

    Attributes:
        left_shift: bits that the operands are shifted by at first.
        first, second: from an operand's scale to twice the larger scale; of a difference the second is negative.
        output: from there, and the left shift, to the output's scale.
    """

    left_shift: int
    first: Multiplier
    second: Multiplier
    output: Multiplier


def sum_multipliers(
    first_scale: float, second_scale: float, output_scale: float, element_bytes: int, subtract: bool
) -> SumMultipliers:
    """The multipliers of a sum, or of a difference.

    Raises:
        ValueError: the output's scale is too small beside the operands'.
    """
    left_shift = _LEFT_SHIFTS[element_bytes]
    largest = 2 * max(first_scale, second_scale)
    output = largest / ((1 << left_shift) * output_scale)
    if output >= 1:
        raise ValueError(f"scales {first_scale} and {second_scale} are too large for a sum at scale {output_scale}")
    first, second = (quantise_multiplier(scale / largest) for scale in (first_scale, second_scale))
    return SumMultipliers(left_shift, first, _negated(second) if subtract else second, quantise_multiplier(output))


def _negated(multiplier: Multiplier) -> Multiplier:
    """Halves still go upwards, so that the product of the opposite need not be the opposite of the product."""
    return Multiplier(-multiplier.value, multiplier.shift)


def fixed_point_sum(first: Int64s, second: Int64s, by: SumMultipliers) -> Int64s:
    """The sum of operands without zero points, at the output's scale, without its zero point and not yet clamped."""
    a = _multiplied(first << by.left_shift, by.first)
    b = _multiplied(second << by.left_shift, by.second)
    return _multiplied(a + b, by.output)


def _multiplied(x: Int64s, by: Multiplier) -> Int64s:
    return multiplied(x, by.value, 31 - by.shift)
