# SPDX-License-Identifier: Apache-2.0
"""A .tflite file as plain records: what is left of it once nothing in it can point outside of itself any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Option = int | float | bool | str | tuple[int, ...]
ABSENT = -1
"""The tensor index of an operand that is not given."""


@dataclass(frozen=True, slots=True)
class Quantisation:
    """The file's quantisation parameters of a tensor; as many zero points as scales, or none."""

    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int


@dataclass(frozen=True, slots=True)
class TensorRecord:
    """A tensor of a subgraph.

    Attributes:
        name: its name in the file, which need not be its own alone.
        shape: extents; one where the file leaves the batch open.
        has_shape: whether the file gives a shape at all.
        type: the schema's TensorType.
        buffer: index of the buffer with its elements; buffer 0 and empty ones stand for none.
        quantisation: its parameters, if there are scales.
        is_variable: whether it keeps its elements between runs.
        is_sparse: whether its elements are stored sparsely.
        signature: the shape with -1 for extents that the file leaves open; empty where it leaves none.
    """

    name: str
    shape: tuple[int, ...]
    has_shape: bool
    type: int
    buffer: int
    quantisation: Quantisation | None
    is_variable: bool
    is_sparse: bool
    signature: tuple[int, ...]

    @property
    def open_axes(self) -> tuple[int, ...]:
        """Axes of which the file leaves the extent open."""
        sound = len(self.signature) == len(self.shape)
        return tuple(axis for axis, extent in enumerate(self.signature) if extent == -1) if sound else ()


@dataclass(frozen=True, slots=True)
class OperatorRecord:
    """An operator: its kind by the schema's name, or "CUSTOM" with a name of its own, and indices of tensors."""

    kind: str
    custom_name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    intermediates: tuple[int, ...]
    options: Mapping[str, Option]
    custom_options: bytes


@dataclass(frozen=True, slots=True)
class SubgraphRecord:
    """A subgraph; inputs and outputs are indices of its tensors, operators lie in the order of their execution."""

    tensors: tuple[TensorRecord, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    operators: tuple[OperatorRecord, ...]


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """A whole file: the first subgraph is the model, others are called by operators."""

    subgraphs: tuple[SubgraphRecord, ...]
    buffers: tuple[Bytes, ...]
