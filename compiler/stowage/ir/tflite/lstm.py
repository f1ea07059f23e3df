# SPDX-License-Identifier: Apache-2.0
"""TFLite's LSTM of 8-bit tensors with a cell state of 16 bits.

A gate sums in 16 bits with 12 fraction bits: what the input gives, rounded and saturated, then what the hidden state
gives. Its activation, and tanh of the cell state, are gemmlowp's in 16 bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stowage.ir.requantise import Multiplier, quantise_multiplier
from stowage.ir.tensor_type import Quant
from stowage.ir.tflite.fixed_point import NARROW, Int64s, divided_by_power, multiplied
from stowage.ir.tflite.transcendental import logistic, tanh

GATE_INTEGER_BITS = 3
GATES = 4
_FORGOTTEN_BITS = 15
"""Fraction bits of a gate after its activation."""


@dataclass(frozen=True, slots=True)
class LstmScales:
    """What an integer LSTM is computed with.

    Attributes:
        input, recurrent: a multiplier a gate, from the scales of a product to 12 fraction bits.
        hidden: from 30 fraction bits to the scale of the hidden state.
        hidden_zero_point: of the hidden state.
        cell_exponent: the cell state's scale is 2 to this, from -15 to -9.
        cell_limit: what the cell state's integers stay within, 0 where they are not clipped.
    """

    input: tuple[Multiplier, ...]
    recurrent: tuple[Multiplier, ...]
    hidden: Multiplier
    hidden_zero_point: int
    cell_exponent: int
    cell_limit: int

    @property
    def cell_integer_bits(self) -> int:
        """Integer bits of the cell state."""
        return 15 + self.cell_exponent


def lstm_scales(data: Quant, weights: Quant, recurrence: Quant, hidden: Quant, cell: Quant, clip: float) -> LstmScales:
    """The scales of an LSTM.

    Raises:
        ValueError: the cell state's scale is no power of two from 2**-15 to 2**-9, or has a zero point, or the hidden
            state's scale is too small beside another.
    """
    mantissa, exponent = math.frexp(cell.scale)
    if mantissa != 0.5 or not -14 <= exponent <= -8 or cell.zero_point:
        raise ValueError(f"a cell state of scale {cell.scale:g}, not of 2**-15 to 2**-9 without a zero point")
    return LstmScales(
        _gates(data.scale, weights),
        _gates(hidden.scale, recurrence),
        quantise_multiplier(2.0**-15 / hidden.scale * 2.0**-15),
        hidden.zero_point,
        exponent - 1,
        0 if math.isinf(clip) else int(min(np.float32(clip) / np.float32(cell.scale), np.float32(32767))),
    )


def _gates(scale: float, weights: Quant) -> tuple[Multiplier, ...]:
    rows = len(weights.scales) // GATES
    return tuple(quantise_multiplier(weights.scales[gate * rows] * scale / 2.0**-12) for gate in range(GATES))


def gate_sums(inputs: Int64s, recurrent: Int64s, scales: LstmScales) -> list[Int64s]:
    """The four gates before their activation, from exact sums of products and biases [N, 4 * H]."""
    gates = []
    pairs = zip(np.split(inputs, GATES, -1), np.split(recurrent, GATES, -1), strict=True)
    for gate, (given, held) in enumerate(pairs):
        first = NARROW.saturated(_multiplied(given, scales.input[gate]))
        gates.append(NARROW.saturated(first + _multiplied(held, scales.recurrent[gate])))
    return gates


def lstm_step(gates: Sequence[Int64s], cell: Int64s, scales: LstmScales) -> tuple[Int64s, Int64s]:
    """The hidden state as integers and the cell state after a step."""
    i, f, o = (logistic(gates[gate], GATE_INTEGER_BITS, NARROW) for gate in (0, 1, 3))
    g = tanh(gates[2], GATE_INTEGER_BITS, NARROW)
    kept = divided_by_power(f * cell, _FORGOTTEN_BITS)
    added = divided_by_power(i * g, 2 * _FORGOTTEN_BITS + scales.cell_exponent)
    cell = NARROW.saturated(kept + added)
    if scales.cell_limit:
        cell = np.clip(cell, -scales.cell_limit, scales.cell_limit)
    hidden = _multiplied(o * tanh(cell, scales.cell_integer_bits, NARROW), scales.hidden) + scales.hidden_zero_point
    return np.clip(hidden, -128, 127), cell


def _multiplied(x: Int64s, by: Multiplier) -> Int64s:
    return multiplied(x, by.value, 31 - by.shift)
