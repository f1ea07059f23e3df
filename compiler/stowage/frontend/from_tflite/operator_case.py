# SPDX-License-Identifier: Apache-2.0
"""Test support: models of one operator, from the shapes of its operands, or constants, and of its results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant
from stowage.frontend.from_tflite.random_tensors import random_elements
from stowage.ir.graph import Array

REAL, BYTE, WORD = "float32", "int8", "int32"
_QUANTS = {BYTE: ((0.05,), (-7,)), "int16": ((0.002,), (0,))}


@dataclass(frozen=True, slots=True)
class Case:
    """An operator: the shapes and element types of its operands, constants among them, and of its results."""

    code: str
    operands: tuple[Any, ...]
    results: tuple[tuple[int, ...], ...]
    dtype: str = REAL
    made: str = ""
    kind: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    positive: bool = False

    def __str__(self) -> str:
        return f"{self.code} {self.dtype} {self.options}"


def numbers(*values: Any) -> Array:
    return np.array(values, np.int32)


def written(case: Case) -> tuple[Subgraph, list[Array]]:
    """The model, and numbers for its inputs."""
    random = np.random.default_rng(len(str(case)))
    quant: Any = _QUANTS.get(case.dtype, ((), ()))
    tensors, inputs, arrays = [], [], []
    for operand in case.operands:
        if isinstance(operand, np.ndarray):
            tensors.append(constant(operand))
            continue
        inputs.append(len(tensors))
        tensors.append(Tensor(operand, case.dtype, None, *quant))
        array = random_elements(random, tensors[-1])
        arrays.append(np.asarray(np.abs(array) if case.positive else array))
    first = len(tensors)
    made = case.made or case.dtype
    tensors += [Tensor(shape, made, None, *(quant if made == case.dtype else ((), ()))) for shape in case.results]
    outputs = tuple(range(first, len(tensors)))
    versions = dict.fromkeys(("ARG_MAX", "DEPTH_TO_SPACE", "EXPAND_DIMS", "RESHAPE", "SQUEEZE", "TILE"), 1)
    version = versions.get(case.code, 2 if case.dtype in _QUANTS else 1)
    operator = Operator(case.code, tuple(range(first)), outputs, case.kind, case.options, version=version)
    return Subgraph(tensors, [operator], tuple(inputs), outputs), arrays
