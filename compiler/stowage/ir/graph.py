# SPDX-License-Identifier: Apache-2.0
"""The first level: a graph of tensors. SSA: every value is made once, by an input or by one node, before it is used."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import TensorType

Array = NDArray[np.generic]


class Arithmetic(enum.Enum):
    """Whose integer rounding a quantised model keeps."""

    ONNX = "onnx"
    TFLITE = "tflite"


@dataclass(frozen=True, slots=True)
class Value:
    """A tensor: its name is its identity and is unique in its graph."""

    name: str
    type: TensorType


@dataclass(frozen=True, slots=True)
class Node:
    """One operation.

    Attributes:
        name: the node's name in the model file (or made from its output), for messages and for the generated C.
        op: what it does, with its attributes.
        inputs: operands in the order that the op documents; an optional one that is absent is left off the end.
        outputs: the values that it makes.
    """

    name: str
    op: Op
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]

    @property
    def output(self) -> Value:
        """The one output of a node that has one."""
        (output,) = self.outputs
        return output


def digest_of(array: Array) -> str:
    """The content hash under which the constant table keeps an array: dtype, shape and bytes."""
    header = f"{array.dtype.str}{array.shape}".encode()
    return hashlib.sha256(header + np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Graph:
    """A model: nodes in an order in which every value is made before it is used.

    Constants are values made by `Constant(digest)` nodes; their bytes sit in `constants` by content hash, which
    text and equality never carry.

    Attributes:
        name: a C identifier, prefix of all that is generated.
        inputs: graph inputs in the model's order.
        outputs: graph outputs in the model's order.
        nodes: topologically ordered nodes, constants among them.
        arithmetic: whose integer rounding quantised nodes keep.
        constants: arrays by content hash.
        states: names of an input and an output, where the model itself says that a run's input holds what the output
            held after the last run.
    """

    name: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    nodes: tuple[Node, ...]
    arithmetic: Arithmetic = Arithmetic.ONNX
    constants: Mapping[str, Array] = field(default_factory=dict, compare=False, repr=False)
    states: tuple[tuple[str, str], ...] = ()
