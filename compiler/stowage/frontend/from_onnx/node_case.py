# SPDX-License-Identifier: Apache-2.0
"""Test support: one node of ONNX with its operands, held against ONNX Runtime."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import helper

from stowage.frontend.from_onnx.model_making import model_of
from stowage.frontend.from_onnx.oracle import check_import

F32, I64, BOOL = np.float32, np.int64, np.bool_


@dataclass(frozen=True)
class Case:
    """One node: its graph inputs (a shape, or a shape and a dtype), constant operands (None: absent), attributes."""

    op: str
    inputs: tuple[Any, ...]
    constants: tuple[Any, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    opset: int = 20
    outputs: int = 1

    @property
    def id(self) -> str:
        return f"{self.op}{self.opset}-{self.inputs}-{self.attributes}".replace(" ", "")[:90]

    def check(self, folder: Path) -> None:
        """Imported, it computes what ONNX Runtime does."""
        typed = [(entry if isinstance(entry[0], tuple) else (entry, F32)) for entry in self.inputs]
        inputs = [
            helper.make_tensor_value_info(f"x{k}", helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)
            for k, (shape, dtype) in enumerate(typed)
        ]
        constants = {f"c{k}": array for k, array in enumerate(self.constants) if array is not None}
        operands = [f"c{k}" if array is not None else "" for k, array in enumerate(self.constants)]
        names = [f"y{k}" for k in range(self.outputs)]
        node = helper.make_node(self.op, [info.name for info in inputs] + operands, names, name="n", **self.attributes)
        outputs = [helper.make_empty_tensor_value_info(name) for name in names]
        check_import(model_of([node], inputs, outputs, constants, self.opset), folder)


def ints(*values: int) -> NDArray[Any]:
    return np.array(values, I64)


def reals(*shape: int) -> NDArray[Any]:
    return np.random.default_rng(7).normal(size=shape).astype(F32)
