# SPDX-License-Identifier: Apache-2.0
"""What integer arithmetic on quantised tensors is written in terms of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stowage.ir.graph import Arithmetic
from stowage.ir.reference.operand import Integers, Operand, Reals
from stowage.ir.tensor_type import Quant, TensorType


@dataclass(frozen=True, slots=True)
class Site:
    """What integer arithmetic depends on besides its operands: the result's type and whose rounding is kept."""

    result: TensorType
    arithmetic: Arithmetic

    @property
    def quant(self) -> Quant:
        """The result's quantisation."""
        assert self.result.quant is not None
        return self.result.quant


QuantisedFunction = Callable[[Any, Sequence[Operand], Site], Integers]
"""An operator's result in steps of the result's scale, before the zero point is added."""


def quant_of(operand: Operand) -> Quant:
    """An operand's quantisation."""
    assert operand.type.quant is not None
    return operand.type.quant


def accumulated(sums: Reals) -> Integers:
    """Sums as 32-bit accumulators.

    Raises:
        OverflowError: a sum has more than 32 bits, which no kernel computes.
    """
    if sums.size and np.abs(sums).max() >= 2**31:
        raise OverflowError(f"an accumulator of {np.abs(sums).max():.0f} has more than 32 bits")
    return sums.astype(np.int64)
