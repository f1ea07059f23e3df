# SPDX-License-Identifier: Apache-2.0
"""What a command for the engine says of extents and of how it computes, and what a layer would have it say."""

from __future__ import annotations

from dataclasses import dataclass

from stowage.npu import words
from stowage.npu.decode import Computation
from stowage.npu.layer import Kind, Layer
from stowage.npu.words import quarters

_CODES = {
    Kind.CONV2D: words.CONV2D,
    Kind.DEPTHWISE: words.DEPTHWISE,
    Kind.FULLY_CONNECTED: words.FULLY_CONNECTED,
    Kind.MAX_POOL: words.MAX_POOL,
    Kind.AVERAGE_POOL: words.AVERAGE_POOL,
    Kind.ADD: words.ADD,
    Kind.REQUANTISE: words.REQUANTISE,
}


@dataclass(frozen=True, slots=True)
class Geometry:
    """A command by its extents.

    Attributes:
        height: input rows.
        width: input columns.
        depth: input channels.
        rows: output rows.
        columns_made: output columns.
        channels: output channels.
        pad_top: rows of padding above the input.
        words: its code, and the words that say how it computes.
    """

    height: int
    width: int
    depth: int
    rows: int
    columns_made: int
    channels: int
    pad_top: int
    words: tuple[int, ...]


def geometry_of(computation: Computation) -> Geometry:
    """That of a command. Sums and tables see their operands as rows of one element."""
    code, fields = computation.code, computation.fields
    if code in (words.ADD, words.REQUANTISE):
        return Geometry(fields[3], 1, 1, fields[3], 1, 1, 0, (code, *fields[4:]))
    (height, width), (depth, channels), (rows, columns) = ((fields[at] & 0xFFFF, fields[at] >> 16) for at in (3, 4, 5))
    how = fields[6], fields[7] >> 8, fields[10], fields[11]
    return Geometry(height, width, depth, rows, columns, channels, fields[7] & 0xFF, (code, *how))


def words_of(layer: Layer) -> tuple[int, ...]:
    """The `words` of every command of a layer."""
    code, window = _CODES[layer.kind], layer.window
    if layer.kind is Kind.REQUANTISE:
        return (code,)
    if layer.kind is Kind.ADD:
        return (code, layer.rounding, layer.output_word, *(word & 0xFFFFFFFF for word in layer.sum_words))
    shape = quarters(*window.kernel, *window.strides), quarters(window.pads[1], *window.dilations)
    return (code, *shape, layer.output_word, layer.rounding)
