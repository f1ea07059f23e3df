# SPDX-License-Identifier: Apache-2.0
"""From accumulators to the output's integers: the fields of `struct stw_output_s8` and the arrays that go with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stowage.ir.graph import Arithmetic, Node
from stowage.ir.product_scale import product_multipliers, product_rounding
from stowage.ir.quantised_clamp import quantised_bounds
from stowage.ir.requantise import ZERO, Multiplier, Rounding
from stowage.target.kernels.call_parts import ROUNDINGS, per_tensor
from stowage.target.kernels.kernel import KernelConstant, NoKernel, ParameterValue

ACCUMULATOR_LIMIT = 2**30
"""What the magnitude of an accumulator has to stay below that is rounded once; see core/requantise.h."""
ACCUMULATOR_LIMITS = {Rounding.ONCE: ACCUMULATOR_LIMIT, Rounding.TWICE: 2**31}
"""The same by the rounding of a product."""

_NARROW_SHIFT = {Rounding.ONCE: 33, Rounding.TWICE: 31, Rounding.AWAY: 63}
"""From this shift on the kernels need less than the general rounding; rounding away from zero always needs it."""


@dataclass(frozen=True, slots=True)
class Requantisation:
    """Parameters and constants of a kernel's output stage, by the names that all such kernels share."""

    parameters: tuple[tuple[str, ParameterValue], ...]
    constants: tuple[KernelConstant, ...]


def requantisation(
    node: Node, multipliers: Sequence[Multiplier], rounding: Rounding, zero_point: int | None = None
) -> Requantisation:
    """The output stage of a node whose output is quantised per tensor.

    Args:
        node: its output's type and the fused activation of its operator are looked at.
        multipliers: one for all, or one an output channel (or what else the kernel indexes them by).
        rounding: how they round.
        zero_point: what is added to the rounded sums, where that is not the zero point of the output.
    """
    quant = per_tensor(node.output)
    lowest, highest = quantised_bounds(getattr(node.op, "clamp", None), node.output.type)
    narrow_shift = _NARROW_SHIFT[rounding]
    exact = [Multiplier(0, narrow_shift) if multiplier == ZERO else multiplier for multiplier in multipliers]
    shifts = np.array([multiplier.shift for multiplier in exact], np.int8)
    return Requantisation(
        parameters=(
            ("output.zero_point", quant.zero_point if zero_point is None else zero_point),
            ("output.lowest", lowest),
            ("output.highest", highest),
            ("output.per_channel", int(len(exact) > 1)),
            ("output.narrow", int(shifts.min() >= narrow_shift)),
            ("output.rounding", ROUNDINGS[rounding]),
        ),
        constants=(
            KernelConstant("multipliers", np.array([multiplier.value for multiplier in exact], np.int32)),
            KernelConstant("shifts", shifts),
        ),
    )


def product_requantisation(node: Node, arithmetic: Arithmetic) -> Requantisation:
    """The output stage of a product of the first two operands, the second of which may be quantised per channel."""
    data, weights = node.inputs[:2]
    first, result = per_tensor(data), per_tensor(node.output)
    if weights.type.quant is None:
        raise NoKernel(f'"{weights.name}" is {weights.type.dtype.value} without a quantisation')
    multipliers = product_multipliers(node.op, first, weights.type.quant, result, arithmetic)
    return requantisation(node, multipliers, product_rounding(node.op, arithmetic))
