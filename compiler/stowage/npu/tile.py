# SPDX-License-Identifier: Apache-2.0
"""The records that a segment is cut into: pieces of banks, copies to and from them, and work on them.

Nothing here has a place yet; `placing` gives every piece its bank and every piece of work its step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from stowage.npu.layer import Layer


@dataclass(frozen=True, slots=True)
class Copy:
    """Bytes of a window that a piece holds: consecutive ones, from `window_offset_bytes` on."""

    window: str
    window_offset_bytes: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive bytes of one bank, for as long as something needs them.

    Attributes:
        name: unique in its segment.
        size_bytes: its length.
        load: what it is filled with before it is read first, where that comes from system memory.
        store: where it goes after it is written last, where it goes to system memory.
    """

    name: str
    size_bytes: int
    load: Copy | None = None
    store: Copy | None = None


@dataclass(frozen=True, slots=True)
class Stream:
    """What a command reads or writes: bytes of a piece, from `offset_bytes` on."""

    piece: str
    offset_bytes: int


@dataclass(frozen=True, slots=True)
class Work:
    """A command for the engine: a layer, or some rows and channels of it.

    Attributes:
        layer: what it is a part of.
        inputs: where its input rows begin, of each operand.
        parameters: what else it reads, if anything.
        output: where its first output element goes.
        input_rows: rows [begin, end) of the input that it sees.
        output_rows: rows [begin, end) that it makes.
        channels: output channels [begin, end) that it makes.
        pad_top: rows of padding above the input rows.
    """

    layer: Layer
    inputs: tuple[Stream, ...]
    parameters: Stream | None
    output: Stream
    input_rows: tuple[int, int]
    output_rows: tuple[int, int]
    channels: tuple[int, int]
    pad_top: int

    @property
    def pieces(self) -> tuple[str, ...]:
        """All that it touches."""
        extra = () if self.parameters is None else (self.parameters.piece,)
        return (*(stream.piece for stream in self.inputs), *extra, self.output.piece)


@dataclass(frozen=True, slots=True)
class Tiling:
    """A segment in tiles.

    Attributes:
        work: commands in order.
        pieces: by name.
        data: bytes of window "data", which `Copy`s of parameters read.
    """

    work: tuple[Work, ...]
    pieces: dict[str, Piece] = field(default_factory=dict)
    data: bytes = b""
