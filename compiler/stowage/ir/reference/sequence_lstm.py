# SPDX-License-Identifier: Apache-2.0
"""TFLite's LSTM over a sequence: in reals, and in integers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.ops.sequence_lstm import SequenceLstm
from stowage.ir.reference.operand import Integers, Operand, Reals, stored
from stowage.ir.reference.quantised_site import accumulated, quant_of
from stowage.ir.tensor_type import TensorType
from stowage.ir.tflite.lstm import gate_sums, lstm_scales, lstm_step


def sequence_lstm(op: SequenceLstm, operands: Sequence[Operand], results: Sequence[TensorType]) -> tuple[Array, Array]:
    """All hidden states and the last cell state."""
    if operands[0].type.quant is not None:
        return _in_integers(op, operands)
    data, weights, recurrence, bias, hidden, cell = (operand.reals for operand in operands)
    sequence = np.zeros(results[0].shape)
    for time, row in enumerate(data):
        hidden, cell = _step(op, row @ weights.T + hidden @ recurrence.T + bias, cell)
        sequence[time] = hidden
    return stored(sequence, results[0]), stored(cell, results[1])


def _step(op: SequenceLstm, sums: Reals, cell: Reals) -> tuple[Reals, Reals]:
    i, f, g, o = np.split(sums, 4, axis=-1)
    cell = np.clip(_sigmoid(f) * cell + _sigmoid(i) * np.tanh(g), -op.cell_clip, op.cell_clip)
    return _sigmoid(o) * np.tanh(cell), cell


def _sigmoid(x: Reals) -> Reals:
    return 1.0 / (1.0 + np.exp(-x))


def _in_integers(op: SequenceLstm, operands: Sequence[Operand]) -> tuple[Array, Array]:
    data, weights, recurrence, bias, hidden, cell = operands
    quants = (quant_of(data), quant_of(weights), quant_of(recurrence), quant_of(hidden), quant_of(cell))
    scales = lstm_scales(*quants, op.cell_clip)
    held: Integers = hidden.array.astype(np.int64)
    state: Integers = cell.array.astype(np.int64)
    sequence = np.zeros((*data.type.shape[:2], held.shape[1]), np.int8)
    for time, row in enumerate(data.centred):
        given = accumulated(row @ weights.centred.T + bias.array.astype(np.float64))
        recurrent = accumulated((held - scales.hidden_zero_point).astype(np.float64) @ recurrence.centred.T)
        held, state = lstm_step(gate_sums(given, recurrent, scales), state, scales)
        sequence[time] = held
    return sequence, state.astype(np.int16)
