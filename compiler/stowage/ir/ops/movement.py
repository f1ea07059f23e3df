# SPDX-License-Identifier: Apache-2.0
"""Operators that only move elements: they work on every element type and keep the quantisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class Reshape(Op):
    """The same elements in row-major order under another shape. Flatten, Squeeze and Unsqueeze are this."""

    mnemonic: ClassVar[str] = "reshape"
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Transpose(Op):
    """Output axis k is input axis permutation[k]."""

    mnemonic: ClassVar[str] = "transpose"
    permutation: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Concat(Op):
    """Operands (one or more) one after the other along an axis. Quantised operands have the output's quantisation."""

    mnemonic: ClassVar[str] = "concat"
    axis: int


@dataclass(frozen=True, slots=True)
class Slice(Op):
    """Element k of each axis is input element begin + k * step; `shape` is the output's. Steps may be negative.

    All three have one entry an axis. Split is several of these.
    """

    mnemonic: ClassVar[str] = "slice"
    begins: tuple[int, ...]
    shape: tuple[int, ...]
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pad(Op):
    """Elements added around: `before` and `after` have one entry an axis (negative ones crop).

    Attributes:
        mode: "constant", "reflect" or "edge".
        value: the real value of added elements in mode "constant".
    """

    mnemonic: ClassVar[str] = "pad"
    before: tuple[int, ...]
    after: tuple[int, ...]
    mode: str = "constant"
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Resize(Op):
    """Another height and width for an image [N, H, W, C] -> [N, OH, OW, C], as ONNX Resize defines it.

    Attributes:
        size: (OH, OW).
        scales: (height, width) factors that coordinates are computed with.
        mode: "nearest" or "linear".
        coordinates: ONNX's coordinate_transformation_mode ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", …).
        nearest: ONNX's nearest_mode.
    """

    mnemonic: ClassVar[str] = "resize"
    size: tuple[int, int]
    scales: tuple[float, float]
    mode: str = "nearest"
    coordinates: str = "half_pixel"
    nearest: str = "round_prefer_floor"


@dataclass(frozen=True, slots=True)
class Constant(Op):
    """A constant: its bytes are in the graph's constant table under `digest`. No operands; carries its output's type."""

    mnemonic: ClassVar[str] = "constant"
    digest: str
    type: TensorType
