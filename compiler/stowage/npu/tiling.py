# SPDX-License-Identifier: Apache-2.0
"""Cuts the layers of a segment into tiles that fit into banks.

What lies between two layers stays whole in one bank. What comes from system memory or goes there is whole where a bank
takes it, else rows of it, with those that two stripes share read twice. Parameters come in blocks of output channels of
at most half a bank, so that the next can be on its way.
"""

from __future__ import annotations

from collections.abc import Sequence

from stowage.npu.layer import ELEMENTWISE, PRODUCTS, Kind, Layer, Tensor
from stowage.npu.tile import Copy, Piece, Stream, Tiling, Work
from stowage.target.board import Npu

DATA = "data"
"""The window that parameters come from."""

Range = tuple[int, int]


class NoTiling(Exception):
    """A segment that the NPU's banks are too small for; the message is the reason."""


def tiled(layers: Sequence[Layer], sources: frozenset[str], results: frozenset[str], npu: Npu) -> Tiling:
    """The tiles of a segment.

    Args:
        layers: in their order.
        sources: tensors that come from system memory.
        results: tensors that go there.
        npu: whose banks they have to fit into.

    Raises:
        NoTiling: something fits in no bank.
    """
    cutting = _Cutting(layers, sources, results, npu)
    for layer in layers:
        cutting.layer(layer)
    return Tiling(tuple(cutting.work), cutting.pieces, bytes(cutting.data))


class _Cutting:
    """Tiles as far as they are cut."""

    def __init__(self, layers: Sequence[Layer], sources: frozenset[str], results: frozenset[str], npu: Npu) -> None:
        self.npu = npu
        self.sources = sources
        self.results = results
        self.read = {tensor.name for layer in layers for tensor in layer.inputs}
        self.work: list[Work] = []
        self.pieces: dict[str, Piece] = {}
        self.data = bytearray()

    def layer(self, layer: Layer) -> None:
        blocks = self._channel_blocks(layer)
        stripes = self._stripes(layer)
        shared = self._parameters(layer, blocks[0], "") if len(blocks) == 1 else None
        for number, rows in enumerate(stripes):
            seen, pad_top = _rows_seen(layer, rows)
            inputs = tuple(self._input(tensor, seen, f"{layer.name}.{number}") for tensor in layer.inputs)
            output = self._output(layer.output, rows, number)
            for block in blocks:
                parameters = shared if len(blocks) == 1 else self._parameters(layer, block, f".{number}")
                self._add(layer, inputs, parameters, output, (seen, rows, block), pad_top)

    def _add(
        self,
        layer: Layer,
        inputs: tuple[Stream, ...],
        parameters: Stream | None,
        output: Stream,
        ranges: tuple[Range, Range, Range],
        pad_top: int,
    ) -> None:
        seen, rows, block = ranges
        if layer.kind is Kind.DEPTHWISE:
            inputs = tuple(Stream(each.piece, each.offset_bytes + block[0]) for each in inputs)
        made = Stream(output.piece, output.offset_bytes + block[0])
        self.work.append(Work(layer, inputs, parameters, made, seen, rows, block, pad_top))

    def _is_whole(self, tensor: Tensor) -> bool:
        """Whether a tensor is in a bank as a whole: it has to be where the NPU itself makes and reads it."""
        inside = tensor.name not in self.sources and (tensor.name in self.read or tensor.name not in self.results)
        if inside and tensor.size_bytes > self.npu.bank_bytes:
            raise NoTiling(f'"{tensor.name}" has {tensor.size_bytes} bytes, a bank {self.npu.bank_bytes}')
        return tensor.size_bytes <= self.npu.bank_bytes

    def _stripes(self, layer: Layer) -> list[Range]:
        """Output rows that are made at once: as many as half a bank takes of what is not there as a whole."""
        cut = [tensor for tensor in (*layer.inputs, layer.output) if not self._is_whole(tensor)]
        rows, most = layer.output.rows, self.npu.bank_bytes // 2
        count = 1
        while count <= rows:
            stripes = [(rows * k // count, rows * (k + 1) // count) for k in range(count)]
            if all(_striped_bytes(layer, tensor, stripe) <= most for tensor in cut for stripe in stripes):
                return stripes
            count += 1 if layer.kind not in ELEMENTWISE else max(1, count // 2)
        raise NoTiling(f'half a bank takes no row of what "{layer.name}" reads or makes')

    def _channel_blocks(self, layer: Layer) -> list[Range]:
        """Output channels whose parameters come together."""
        channels = layer.output.channels
        if layer.kind not in PRODUCTS:
            return [(0, channels)]
        at_once = self.npu.bank_bytes // 2 // layer.channel_bytes
        if at_once < channels:
            at_once -= at_once % self.npu.array_channels
        if at_once == 0 or (at_once < channels and layer.kind is Kind.DEPTHWISE and not _is_one_to_one(layer)):
            raise NoTiling(f'half a bank takes no block of the weights of "{layer.name}"')
        return [(begin, min(begin + at_once, channels)) for begin in range(0, channels, at_once)]

    def _parameters(self, layer: Layer, block: Range, suffix: str) -> Stream | None:
        data = layer.parameters(*block)
        if not data:
            return None
        name = f"{layer.name}.parameters.{block[0]}{suffix}"
        self.pieces[name] = Piece(name, len(data), load=Copy(DATA, self._data_at(layer, block, data), len(data)))
        return Stream(name, 0)

    def _data_at(self, layer: Layer, block: Range, data: bytes) -> int:
        """Where a block lies in the data: blocks that are read again for another stripe are there once."""
        name = f"{layer.name}.parameters.{block[0]}.0"
        load = self.pieces[name].load if name in self.pieces else None
        if load is not None:
            return load.window_offset_bytes
        at = len(self.data)
        self.data += data
        return at

    def _input(self, tensor: Tensor, rows: Range, stripe: str) -> Stream:
        """Where rows of an operand begin; a piece of their own where it is not there as a whole."""
        if self._is_whole(tensor):
            load = Copy(tensor.name, 0, tensor.size_bytes)
            self.pieces.setdefault(tensor.name, Piece(tensor.name, tensor.size_bytes, load=load))
            return Stream(tensor.name, rows[0] * tensor.row_bytes)
        size_bytes = (rows[1] - rows[0]) * tensor.row_bytes
        name = f"{tensor.name}.{stripe}"
        self.pieces[name] = Piece(name, size_bytes, load=Copy(tensor.name, rows[0] * tensor.row_bytes, size_bytes))
        return Stream(name, 0)

    def _output(self, tensor: Tensor, rows: Range, stripe: int) -> Stream:
        goes_out = tensor.name in self.results
        if self._is_whole(tensor):
            store = Copy(tensor.name, 0, tensor.size_bytes) if goes_out else None
            self.pieces.setdefault(tensor.name, Piece(tensor.name, tensor.size_bytes, store=store))
            return Stream(tensor.name, rows[0] * tensor.row_bytes)
        size_bytes = (rows[1] - rows[0]) * tensor.row_bytes
        name = f"{tensor.name}.{stripe}"
        self.pieces[name] = Piece(name, size_bytes, store=Copy(tensor.name, rows[0] * tensor.row_bytes, size_bytes))
        return Stream(name, 0)


def _is_one_to_one(layer: Layer) -> bool:
    return layer.inputs[0].channels == layer.output.channels


def _rows_seen(layer: Layer, rows: Range) -> tuple[Range, int]:
    """The input rows under the windows of some output rows, and the padding above them."""
    window, height = layer.window, layer.inputs[0].rows
    first = rows[0] * window.strides[0] - window.pads[0]
    last = (rows[1] - 1) * window.strides[0] - window.pads[0] + (window.kernel[0] - 1) * window.dilations[0]
    seen = max(first, 0), min(last + 1, height)
    if seen[0] >= seen[1]:
        raise NoTiling(f'windows of "{layer.name}" see nothing but padding')
    return seen, seen[0] - first


def _striped_bytes(layer: Layer, tensor: Tensor, rows: Range) -> int:
    """What a stripe takes of one of a layer's tensors."""
    begin, end = rows if tensor == layer.output else _rows_seen(layer, rows)[0]
    return (end - begin) * tensor.row_bytes
