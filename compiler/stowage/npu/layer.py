# SPDX-License-Identifier: Apache-2.0
"""One command's worth of work for an NPU: what it reads and writes, its geometry, and the words that say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from stowage.ir.ops.window_shape import Pair


class Kind(Enum):
    """What a command does, by the names that descriptors have for it."""

    CONV2D = "conv2d"
    DEPTHWISE = "depthwise_conv2d"
    FULLY_CONNECTED = "fully_connected"
    MAX_POOL = "max_pool2d"
    AVERAGE_POOL = "average_pool2d"
    ADD = "add"
    REQUANTISE = "requantise"


PRODUCTS = (Kind.CONV2D, Kind.DEPTHWISE, Kind.FULLY_CONNECTED)
"""Commands with parameters for every output channel, which can be made some channels at a time."""

ELEMENTWISE = (Kind.ADD, Kind.REQUANTISE)
"""Commands that see their operands as rows of one byte."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor that layers read or write, as the NPU sees it: int8 [rows, columns, channels].

    Attributes:
        name: whose bytes it is.
    """

    name: str
    rows: int
    columns: int
    channels: int

    @property
    def row_bytes(self) -> int:
        """From one row to the next."""
        return self.columns * self.channels

    @property
    def size_bytes(self) -> int:
        """All of it."""
        return self.rows * self.row_bytes


@dataclass(frozen=True, slots=True)
class Window:
    """How a window slides: (rows, columns) each; `pads` are those above and to the left."""

    kernel: Pair = (1, 1)
    strides: Pair = (1, 1)
    dilations: Pair = (1, 1)
    pads: Pair = (0, 0)


@dataclass(frozen=True, slots=True)
class Layer:
    """A command for whole tensors; it is cut into tiles later.

    Attributes:
        name: the node that it is of.
        kind: what it does.
        inputs: one tensor, of a sum two.
        output: what it makes.
        window: how it slides; a single pixel where it does not.
        channel_bytes: parameters of an output channel, of products.
        parameters: what it reads beside its inputs, for output channels [begin, end); empty where it reads nothing.
        output_word: pad value, zero point and bounds, packed.
        rounding: the rounding, and for averages whether they go by count.
        sum_words: the last words of a sum.
        macs: multiply-accumulates that it stands for.
    """

    name: str
    kind: Kind
    inputs: tuple[Tensor, ...]
    output: Tensor
    window: Window
    channel_bytes: int
    parameters: Callable[[int, int], bytes]
    output_word: int
    rounding: int
    sum_words: tuple[int, ...] = ()
    macs: int = 0


def without_parameters(begin: int, end: int) -> bytes:
    """The `parameters` of a layer that reads nothing beside its inputs."""
    return b""


def fixed(data: bytes) -> Callable[[int, int], bytes]:
    """The `parameters` of a layer that reads the same for whatever channels."""
    return lambda begin, end: data
