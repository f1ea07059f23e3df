# SPDX-License-Identifier: Apache-2.0
"""Rows of a model's input as the caller gives them: the input is never whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_rank, sole
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class FeedRows(Op):
    """Rows [first, first + rows) of an input of the model, an image [1, H, W, C] -> [1, rows, W, C].

    The caller is asked for them while the model runs, so that the operand has no place of its own.

    Attributes:
        first: the first row.
        rows: how many.
    """

    mnemonic: ClassVar[str] = "feed_rows"
    first: int
    rows: int

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        image = sole(operands)
        check_rank("image", image, 4, "[1, H, W, C]")
        if image.shape[0] != 1 or self.first < 0 or self.rows < 1 or self.first + self.rows > image.shape[1]:
            raise ShapeError(f"an image {list(image.shape)} has no rows {self.first} to {self.first + self.rows}")
        return (TensorType((1, self.rows, *image.shape[2:]), image.dtype, image.quant),)
