# SPDX-License-Identifier: Apache-2.0
"""A part of a model as one operation: what an NPU computes at one ring of its doorbell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op
from stowage.ir.ops.operands import Operands
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class NpuSegment(Op):
    """Several layers on the board's NPU: some tensors -> those that somebody else needs.

    Attributes:
        layers: names of the nodes that it is made of, in their order.
        results: types of its outputs, which these nodes make.
    """

    mnemonic: ClassVar[str] = "npu_segment"

    layers: tuple[str, ...]
    results: tuple[TensorType, ...]

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        return self.results
