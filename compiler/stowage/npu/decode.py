# SPDX-License-Identifier: Apache-2.0
"""A command stream read back: what each step copies and computes, in which bytes of which bank, for how long.

Knows the format alone (hal/npu/README.md), nothing of how streams are made: the checker and the report stand on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from stowage.npu import words
from stowage.target.board import Npu

_STEP_CYCLES, _COPY_CYCLES, _COMMAND_CYCLES = 4, 8, 16
_TABLE_BYTES, _RECORD_BYTES, _COUNT_BYTES = 256, 12, 8

_NAMES = {
    words.CONV2D: "conv2d",
    words.DEPTHWISE: "depthwise_conv2d",
    words.FULLY_CONNECTED: "fully_connected",
    words.MAX_POOL: "max_pool2d",
    words.AVERAGE_POOL: "average_pool2d",
    words.ADD: "add",
    words.REQUANTISE: "requantise",
}

_LENGTHS = {
    words.STEP: 1,
    words.COPY_IN: 8,
    words.COPY_OUT: 8,
    words.CONV2D: 13,
    words.DEPTHWISE: 13,
    words.FULLY_CONNECTED: 9,
    words.MAX_POOL: 13,
    words.AVERAGE_POOL: 13,
    words.ADD: 12,
    words.REQUANTISE: 5,
}


class BadStream(ValueError):
    """Words that are no command stream; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Access:
    """Lines of bytes of a bank that a command reads or writes.

    Attributes:
        role: "input", "addend", "parameters", "output", or "copy".
        bank: which bank.
        offset_bytes: where the first line begins.
        line_bytes: length of a line.
        lines: how many there are.
        stride_bytes: from one to the next.
    """

    role: str
    bank: int
    offset_bytes: int
    line_bytes: int
    lines: int = 1
    stride_bytes: int = 0

    @property
    def end_bytes(self) -> int:
        """The first byte behind the last line."""
        return self.offset_bytes + (self.lines - 1) * self.stride_bytes + self.line_bytes


@dataclass(frozen=True, slots=True)
class Transfer:
    """A copy between a window and a bank."""

    is_out: bool
    window: int
    outside: Access
    inside: Access

    @property
    def size_bytes(self) -> int:
        """Bytes that it moves."""
        return self.inside.line_bytes * self.inside.lines


@dataclass(frozen=True, slots=True)
class Computation:
    """A command for the engine: what it reads and writes, multiply-accumulates and cycles.

    `fields` are its words after the first, for FULLY_CONNECTED those of the convolution of a single pixel that it is.
    """

    name: str
    code: int
    fields: tuple[int, ...]
    reads: tuple[Access, ...]
    write: Access
    macs: int
    cycles: int


@dataclass(slots=True)
class StreamStep:
    """What runs at once."""

    transfers: list[Transfer] = field(default_factory=list)
    computations: list[Computation] = field(default_factory=list)
    dma_cycles: int = 0

    @property
    def engine_cycles(self) -> int:
        """Of its command for the engine, if it has one."""
        return sum(each.cycles for each in self.computations)

    @property
    def cycles(self) -> int:
        """Of the step, by the documented timing."""
        return max(self.dma_cycles, self.engine_cycles) + _STEP_CYCLES


def decoded(stream: Sequence[int], npu: Npu) -> list[StreamStep]:
    """The steps of a stream.

    Raises:
        BadStream: it is none.
    """
    header = (words.MAGIC, words.VERSION, len(stream))
    if len(stream) < words.HEADER_WORDS or tuple(stream[:3]) != header or stream[4] != npu.bank_bytes:
        raise BadStream("its header is not that of a stream of its length for this NPU")
    if stream[3] > npu.banks:
        raise BadStream(f"it is for {stream[3]} banks, and there are {npu.banks}")
    steps, step = [], StreamStep()
    for code, fields in _commands(stream):
        if code == words.STEP:
            steps.append(step)
            step = StreamStep()
        elif code in (words.COPY_IN, words.COPY_OUT):
            _transfer(step, code == words.COPY_OUT, fields, npu)
        else:
            step.computations.append(_computation(code, fields, npu))
    if step.transfers or step.computations:
        raise BadStream("its last step has no end")
    return steps


def _commands(stream: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    at = words.HEADER_WORDS
    while at < len(stream):
        code, length = stream[at] & 0xFFFF, stream[at] >> 16
        if length == 0 or at + length > len(stream):
            raise BadStream(f"the command at word {at} does not end")
        if code == words.END:
            if at + 1 != len(stream):
                raise BadStream("it goes on behind its end")
            return
        if _LENGTHS.get(code) != length:
            raise BadStream(f"there is no command {code:#x} of {length} words")
        yield code, tuple(stream[at + 1 : at + length])
        at += length
    raise BadStream("it has no end")


def _transfer(step: StreamStep, is_out: bool, fields: Sequence[int], npu: Npu) -> None:
    window, outside, inside, line, lines, outside_stride, inside_stride = fields
    step.transfers.append(
        Transfer(
            is_out,
            window,
            Access("copy", window, outside, line, lines, outside_stride),
            Access("copy", inside >> 24, inside & 0xFFFFFF, line, lines, inside_stride),
        )
    )
    step.dma_cycles += _COPY_CYCLES + lines * _up(line, npu.dma_bytes)


def _computation(code: int, fields: Sequence[int], npu: Npu) -> Computation:
    if code == words.ADD:
        return _sum(fields, npu)
    if code == words.REQUANTISE:
        return _look_up(fields, npu)
    if code == words.FULLY_CONNECTED:
        rows, depth = _halves(fields[3])
        channels, stride = fields[4], fields[5]
        as_image = (rows | 1 << 16, depth | channels << 16, rows | 1 << 16, 0x01010101, 0x01010000, depth, stride)
        return _sliding(code, (*fields[:3], *as_image, *fields[6:]), npu)
    return _sliding(code, fields, npu)


def _sliding(code: int, fields: Sequence[int], npu: Npu) -> Computation:
    (height, width), (depth, channels), (rows, columns) = (_halves(fields[index]) for index in (3, 4, 5))
    taps = (fields[6] & 0xFF) * (fields[6] >> 8 & 0xFF)
    if fields[8] < depth or fields[9] < channels:
        raise BadStream(f"pixels of {_NAMES[code]} overlap")
    is_dense = code in (words.CONV2D, words.FULLY_CONNECTED)
    is_product = is_dense or code == words.DEPTHWISE
    records = _records_bytes(code, channels, taps, bool(fields[11] >> 8))
    weights = taps * channels * (depth if is_dense else 1) if is_product else 0
    reads = [Access("input", *_at(fields[0]), depth, height * width, fields[8])]
    if records:
        reads.append(Access("parameters", *_at(fields[1]), records + weights))
    steps = taps * (_up(depth, npu.array_depth) if is_dense else 1)
    tiles = _up(channels, npu.array_channels) * _up(rows * columns, npu.array_pixels)
    return Computation(
        name=_NAMES[code],
        code=code,
        fields=tuple(fields),
        reads=tuple(reads),
        write=Access("output", *_at(fields[2]), channels, rows * columns, fields[9]),
        macs=rows * columns * weights,
        cycles=_COMMAND_CYCLES + _up(records, npu.port_bytes) + tiles * steps,
    )


def _records_bytes(code: int, channels: int, taps: int, by_count: bool) -> int:
    if code == words.MAX_POOL:
        return 0
    if code == words.AVERAGE_POOL:
        return _COUNT_BYTES * (taps if by_count else 1)
    return _RECORD_BYTES * channels


def _sum(fields: Sequence[int], npu: Npu) -> Computation:
    a, b, made, elements = fields[:4]
    reads = Access("input", *_at(a), elements), Access("addend", *_at(b), elements)
    cycles = _COMMAND_CYCLES + _up(elements, npu.port_bytes)
    write = Access("output", *_at(made), elements)
    return Computation(_NAMES[words.ADD], words.ADD, tuple(fields), reads, write, 0, cycles)


def _look_up(fields: Sequence[int], npu: Npu) -> Computation:
    source, table, made, elements = fields
    reads = Access("input", *_at(source), elements), Access("parameters", *_at(table), _TABLE_BYTES)
    cycles = _COMMAND_CYCLES + _up(elements, npu.port_bytes) + _up(_TABLE_BYTES, npu.port_bytes)
    write = Access("output", *_at(made), elements)
    return Computation(_NAMES[words.REQUANTISE], words.REQUANTISE, tuple(fields), reads, write, 0, cycles)


def _at(address: int) -> tuple[int, int]:
    return address >> 24, address & 0xFFFFFF


def _halves(word: int) -> tuple[int, int]:
    return word & 0xFFFF, word >> 16


def _up(number: int, divisor: int) -> int:
    return -(-number // divisor)
