# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers over reals, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stowage.ir.ops import recurrent
from stowage.ir.ops.op import Op
from stowage.ir.reference.operand import Reals

States = tuple[Reals, ...]
Step = Callable[[Any, Reals, Reals, Reals, States], States]


def _sigmoid(x: Reals) -> Reals:
    return 1.0 / (1.0 + np.exp(-x))


def _lstm(op: recurrent.Lstm, given: Reals, weights: Reals, bias: Reals, states: States) -> States:
    hidden, cell = states
    i, o, f, g = np.split(given + hidden @ weights.T + bias, 4, axis=-1)
    cell = _sigmoid(f) * cell + _sigmoid(i) * np.tanh(g)
    return _sigmoid(o) * np.tanh(cell), cell


def _gru(op: recurrent.Gru, given: Reals, weights: Reals, bias: Reals, states: States) -> States:
    (hidden,) = states
    gates = 2 * hidden.shape[-1]
    z, r = np.split(_sigmoid(given[..., :gates] + hidden @ weights[:gates].T + bias[:gates]), 2, axis=-1)
    if op.reset_after:
        product = r * (hidden @ weights[gates:].T + bias[gates:])
    else:
        product = (r * hidden) @ weights[gates:].T + bias[gates:]
    return ((1.0 - z) * np.tanh(given[..., gates:] + product) + z * hidden,)


def _rnn(op: recurrent.Rnn, given: Reals, weights: Reals, bias: Reals, states: States) -> States:
    total = given + states[0] @ weights.T + bias
    return (np.maximum(total, 0.0) if op.relu else np.tanh(total),)


def _over_sequence(step: Step) -> Callable[[Any, Sequence[Reals]], Reals]:
    def compute(op: recurrent.Recurrent, operands: Sequence[Reals]) -> Reals:
        data, weights, recurrence, bias, *initial = operands
        input_bias, recurrent_bias = np.split(bias, 2)
        states: States = tuple(initial)
        outputs = np.zeros((*data.shape[:2], recurrence.shape[1]))
        order = range(len(data))
        for time in reversed(order) if op.reverse else order:
            states = step(op, data[time] @ weights.T + input_bias, recurrence, recurrent_bias, states)
            outputs[time] = states[0]
        return _result(op.result, outputs, states)

    return compute


def _result(name: str, outputs: Reals, states: States) -> Reals:
    if name == "sequence":
        return outputs
    if name == "sequence_and_cell":
        return np.concatenate([outputs, states[1][None]])
    return np.stack(states) if name == "states" else states[recurrent.RESULTS.index(name) - 1]


RECURRENT: Mapping[type[Op], Callable[[Any, Sequence[Reals]], Reals]] = {
    recurrent.Lstm: _over_sequence(_lstm),
    recurrent.Gru: _over_sequence(_gru),
    recurrent.Rnn: _over_sequence(_rnn),
}
"""By operator: the function of its record and its operands."""
