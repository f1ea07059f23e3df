# SPDX-License-Identifier: Apache-2.0
"""TFLite's LSTM over a sequence, whose states come from and go to the caller."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_count, check_rank, check_real
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class SequenceLstm(Op):
    """Gates input i, forget f, cell g (tanh) and output o: c' = clip(f c + i g), h' = o tanh(c').

    Operands: input [T, N, I], weights [4 * H, I], recurrence [4 * H, H], bias [4 * H], the hidden [N, H] and the cell
    state [N, H] before the first step. Results: all hidden states [T, N, H] and the last cell state [N, H].

    Quantised: input, weights, hidden states i8, bias i32 at the scale of input times weights, the cell state i16 with a
    power of two for a scale and no zero point; weights have one scale a gate, repeated along axis 0.

    Attributes:
        cell_clip: what the cell state stays within; infinity where it is not clipped.
    """

    mnemonic: ClassVar[str] = "sequence_lstm"
    cell_clip: float = math.inf

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights", "recurrence", "bias", "hidden", "cell"))
        data, _, recurrence, _, _, cell = operands
        check_rank("input", data, 3, "[T, N, I]")
        check_real("input", data)
        check_rank("recurrence", recurrence, 2, "[4 * H, H]")
        steps, batches, inputs = data.shape
        hidden = recurrence.shape[1]
        shapes = ((4 * hidden, inputs), (4 * hidden, hidden), (4 * hidden,), (batches, hidden), (batches, hidden))
        quantised = (DType.I8, DType.I8, DType.I32, DType.I8, DType.I16)
        dtypes = (data.dtype,) * len(shapes) if data.quant is None else quantised
        for operand, shape, dtype in zip(operands[1:], shapes, dtypes, strict=True):
            if operand.shape != shape or operand.dtype is not dtype:
                found = f"{operand.dtype.value}{list(operand.shape)}"
                raise ShapeError(f"an operand is {found}, but must be {dtype.value}{list(shape)}")
        return TensorType((steps, batches, hidden), data.dtype, operands[4].quant), cell
