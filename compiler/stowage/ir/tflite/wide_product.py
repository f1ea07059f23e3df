# SPDX-License-Identifier: Apache-2.0
"""How TFLite brings the 64-bit accumulators of 16-bit activations times 8-bit weights to the scale of the result.

They are rounded once, halves upwards. LiteRT's reference kernels multiply convolutions with the 15 highest bits of the
multiplier alone, and dense layers with all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stowage.ir.graph import Arithmetic
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op
from stowage.ir.product_scale import product_multipliers
from stowage.ir.requantise import Multiplier, MultiplierTooLarge
from stowage.ir.tensor_type import Quant
from stowage.ir.tflite.fixed_point import Int64s

ACCUMULATOR_LIMIT = 2**47
"""What the magnitude of an accumulator has to stay below."""
_LEAST_SHIFT = 31 - 7
_HALF_BITS = 16


def wide_multipliers(op: Op, first: Quant, second: Quant, output: Quant) -> tuple[Multiplier, ...]:
    """One multiplier for every scale of the second operand.

    Raises:
        MultiplierTooLarge: one stands for 2**7 or more, which TFLite does not allow.
    """
    multipliers = product_multipliers(op, first, second, output, Arithmetic.TFLITE)
    if min(multiplier.shift for multiplier in multipliers) < _LEAST_SHIFT:
        raise MultiplierTooLarge("a requantisation multiplier of 16-bit activations must be below 128")
    return multipliers if isinstance(op, FullyConnected) else tuple(_reduced(each) for each in multipliers)


def _reduced(multiplier: Multiplier) -> Multiplier:
    """The same with the 16 lowest bits rounded to 0."""
    highest = min((multiplier.value + (1 << (_HALF_BITS - 1))) >> _HALF_BITS, 2**15 - 1)
    return Multiplier(highest << _HALF_BITS, multiplier.shift)


def requantise_wide(accumulators: Int64s, multipliers: Sequence[Multiplier]) -> Int64s:
    """Accumulators times multipliers, one for all or one for each entry of the last axis, in 64 bits.

    The 16 lowest bits of an accumulator have a product of their own, of which what is below 2**16 cannot matter.
    """
    values = np.array([each.value for each in multipliers], np.int64)
    shifts = np.array([each.shift for each in multipliers], np.int64)
    low = (accumulators & 0xFFFF) * values + (np.int64(1) << (shifts - 1))
    rounded: Int64s = ((accumulators >> _HALF_BITS) * values + (low >> _HALF_BITS)) >> (shifts - _HALF_BITS)
    return rounded
