# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers over a whole sequence, in one direction.

Operands: input [T, N, I], weights [G * H, I], recurrence [G * H, H], bias [2 * G * H] (of the input, then of the
recurrence), the hidden state [N, H] before the first step, and for an LSTM the cell state [N, H]. G gates lie one after
the other in ONNX's order. The result is all hidden states [T, N, H], the last hidden or cell state [N, H], all hidden
states and behind them the last cell state [T + 1, N, H], or the last hidden and the last cell state [2, N, H].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_count, check_rank, check_real
from stowage.ir.tensor_type import TensorType

RESULTS = ("sequence", "hidden", "cell", "sequence_and_cell", "states")


@dataclass(frozen=True, slots=True)
class Recurrent(Op):
    """What all have: `reverse` goes from the last step to the first; `result` is one of RESULTS."""

    mnemonic: ClassVar[str]
    gates: ClassVar[int]
    states: ClassVar[tuple[str, ...]] = ("hidden",)
    reverse: bool = False
    result: str = "sequence"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights", "recurrence", "bias", *self.states))
        data, _weights, recurrence, _bias, *states = operands
        check_rank("input", data, 3, "[T, N, I]")
        check_real("input", data)
        check_rank("recurrence", recurrence, 2, "[G * H, H]")
        steps, batches, inputs = data.shape
        hidden = recurrence.shape[1]
        sums = self.gates * hidden
        expected = [(sums, inputs), (sums, hidden), (2 * sums,), *[(batches, hidden)] * len(states)]
        for operand, shape in zip(operands[1:], expected, strict=True):
            if operand.shape != shape or operand.dtype != data.dtype:
                raise ShapeError(f"an operand is {operand.dtype.value}{list(operand.shape)}, but must be {list(shape)}")
        if self.result not in RESULTS or (self.result not in RESULTS[:2] and "cell" not in self.states):
            raise ShapeError(f"there is no result {self.result}")
        rows = {"sequence": (steps,), "sequence_and_cell": (steps + 1,), "states": (2,)}.get(self.result, ())
        return (TensorType((*rows, batches, hidden), data.dtype),)


@dataclass(frozen=True, slots=True)
class Lstm(Recurrent):
    """Gates input, output, forget (sigmoid) and cell (tanh): c' = f c + i g; h' = o tanh(c')."""

    mnemonic: ClassVar[str] = "lstm"
    gates: ClassVar[int] = 4
    states: ClassVar[tuple[str, ...]] = ("hidden", "cell")


@dataclass(frozen=True, slots=True)
class Gru(Recurrent):
    """Gates update z, reset r (sigmoid) and candidate n (tanh): h' = (1 - z) n + z h.

    `reset_after` multiplies r with the recurrent product and its bias, else with h before the product.
    """

    mnemonic: ClassVar[str] = "gru"
    gates: ClassVar[int] = 3
    reset_after: bool = False


@dataclass(frozen=True, slots=True)
class Rnn(Recurrent):
    """h' = tanh of the sum of both products, or its positive part if `relu`."""

    mnemonic: ClassVar[str] = "rnn"
    gates: ClassVar[int] = 1
    relu: bool = False
