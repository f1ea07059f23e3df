# SPDX-License-Identifier: Apache-2.0
"""The proof that a command stream computes its layers: every byte of the banks is known by what it holds.

A copy brings elements of a tensor or bytes of the data, a command makes elements of the tensor of its layer; each byte
is labelled with them until something is written over it. A command must find, under every window, just the rows and
channels that its layer's geometry asks for, the layer's own parameters, and the layer's words; an output gets the
elements that are its own. So a stripe that is still the one before, or a block of other weights, is found out.

Knows the layers and the format, nothing of tiles, steps and places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stowage.codegen.unsound import unsound
from stowage.errors import InvalidPlan
from stowage.npu.decode import Access, Computation, StreamStep, Transfer
from stowage.npu.geometry import Geometry, geometry_of, words_of
from stowage.npu.labels import Labels
from stowage.npu.layer import PRODUCTS, Kind, Layer, Tensor
from stowage.schedule.schedule import Step
from stowage.target.board import Npu

_DATA = 0
"""The number of window 0, whose bytes are no tensor's."""


def check_layers(step: Step, stream: Sequence[StreamStep], layers: Sequence[Layer], npu: Npu) -> None:
    """Checks the stream of a segment, which `check_stream` has passed.

    Args:
        step: the segment.
        stream: the steps of its stream.
        layers: what it has to compute, in an order in which it can be.
        npu: the machine.

    Raises:
        InvalidPlan: names the step and what is wrong.
    """
    state = _State(step, layers, npu)
    for number, each in enumerate(stream):
        state.number = number
        for transfer in each.transfers:
            state.transfer(transfer)
        for computation in each.computations:
            state.compute(computation)
    state.end()


@dataclass(frozen=True, slots=True)
class _Part:
    """What a command makes of its layer: output rows from `row` on, channels from `channel` on."""

    row: int
    channel: int


class _State:
    """What banks hold after some commands, and what of the layers is made."""

    def __init__(self, step: Step, layers: Sequence[Layer], npu: Npu) -> None:
        self.number = 0
        self._node = step.node
        self._windows = [value.name for value in (*step.node.inputs, *step.node.outputs)]
        self._data = step.call.constants[1].array.tobytes()
        names = [*self._windows, *(tensor.name for layer in layers for tensor in (*layer.inputs, layer.output))]
        self._numbers = {name: number for number, name in enumerate(dict.fromkeys(names), 1)}
        self._banks = Labels([npu.bank_bytes] * npu.banks)
        self._layers = list(layers)
        self._made = [np.zeros((layer.output.rows, layer.output.channels), np.bool_) for layer in layers]

    def transfer(self, transfer: Transfer) -> None:
        number = self._numbers[self._windows[transfer.window - 1]] if transfer.window else _DATA
        begin = transfer.outside
        lines = np.arange(begin.lines)[:, None] * begin.stride_bytes
        elements = _label(number, begin.offset_bytes) + lines + np.arange(begin.line_bytes)
        held = self._banks.of(transfer.inside)
        if not transfer.is_out:
            held[...] = elements
        elif not np.array_equal(held, elements):
            raise self._fault(f"it does not copy what is of window {transfer.window} there")

    def compute(self, computation: Computation) -> None:
        index = next((index for index, made in enumerate(self._made) if not made.all()), None)
        if index is None:
            raise self._fault("all layers are computed")
        layer, geometry = self._layers[index], geometry_of(computation)
        if geometry.words != words_of(layer):
            raise self._fault(f'its words are not those of "{layer.name}"')
        part = self._part(layer, computation, geometry, self._made[index])
        self._check_parameters(layer, computation, part, geometry)
        made = self._made[index][part.row : part.row + geometry.rows, part.channel : part.channel + geometry.channels]
        if made.shape != (geometry.rows, geometry.channels) or made.any():
            raise self._fault(f'it makes what "{layer.name}" has made, or has not')
        made[...] = True
        first = part.row * layer.output.row_bytes + part.channel
        output = computation.write
        self._banks.of(output)[...] = self._elements(layer.output, first, output)

    def end(self) -> None:
        for layer, made in zip(self._layers, self._made, strict=True):
            if not made.all():
                raise self._fault(f'it does not make all of "{layer.name}"')

    def _part(self, layer: Layer, computation: Computation, geometry: Geometry, made: NDArray[np.bool_]) -> _Part:
        """Which part of its layer a command makes, by what it finds under its windows."""
        begins = [
            self._begin(layer, tensor, access, geometry)
            for tensor, access in zip(layer.inputs, computation.reads, strict=False)
        ]
        if len(set(begins)) != 1:
            raise self._fault(f'the operands of "{layer.name}" are of different rows')
        (first, channel), window = begins[0], layer.window
        row, rest = divmod(first - geometry.pad_top + window.pads[0], window.strides[0])
        if rest or not 0 <= row < layer.output.rows or geometry.columns_made != layer.output.columns:
            raise self._fault(f'what it finds is not under a window of "{layer.name}"')
        self._check_rows(layer, geometry, first, row)
        if layer.kind in PRODUCTS and not _is_one_to_one(layer):
            channel = int(np.argmin(made[row]))
        return _Part(row, channel)

    def _check_rows(self, layer: Layer, geometry: Geometry, first: int, row: int) -> None:
        """What lies above and below the rows that it finds has to be padding."""
        window, height = layer.window, layer.inputs[0].rows
        last = (row + geometry.rows - 1) * window.strides[0] - window.pads[0]
        last += (window.kernel[0] - 1) * window.dilations[0]
        if (geometry.pad_top and first) or first + geometry.height < min(last + 1, height):
            raise self._fault(f'rows of what "{layer.name}" reads are missing')

    def _begin(self, layer: Layer, tensor: Tensor, access: Access, geometry: Geometry) -> tuple[int, int]:
        """Row and channel at which the elements begin that an access finds; they have to be whole rows of it."""
        held = self._banks.of(access)
        element = int(held[0, 0]) - _label(self._numbers[tensor.name], 0)
        row, channel = divmod(element, tensor.row_bytes)
        depth = geometry.channels if _is_one_to_one(layer) else tensor.channels
        whole = geometry.width == tensor.columns and geometry.depth == depth and 0 <= row < tensor.rows
        whole &= channel + depth <= tensor.channels
        if not whole or not np.array_equal(held, self._elements(tensor, element, access)):
            raise self._fault(f'{access.role} of "{layer.name}" is not rows of "{tensor.name}"')
        return row, channel

    def _elements(self, tensor: Tensor, first: int, access: Access) -> NDArray[np.int64]:
        """Labels of pixels from an element on, [pixel, channel]."""
        pixels = np.arange(access.lines)[:, None] * tensor.channels
        labels: NDArray[np.int64] = _label(self._numbers[tensor.name], first) + pixels + np.arange(access.line_bytes)
        return labels

    def _check_parameters(self, layer: Layer, computation: Computation, part: _Part, geometry: Geometry) -> None:
        wanted = layer.parameters(part.channel, part.channel + geometry.channels)
        found = [access for access in computation.reads if access.role == "parameters"]
        if not found and not wanted:
            return
        labels = self._banks.of(found[0]).ravel() if found else np.zeros(1, np.int64)
        at = int(labels[0]) - _label(_DATA, 0)
        is_run = np.array_equal(labels, _label(_DATA, at) + np.arange(labels.size))
        if at < 0 or not is_run or self._data[at : at + labels.size] != wanted:
            raise self._fault(f'its parameters are not those of "{layer.name}"')

    def _fault(self, reason: str) -> InvalidPlan:
        return unsound(f'node "{self._node.name}"', f"step {self.number} of its command stream is not sound: {reason}")


def _label(number: int, element: int) -> int:
    """Of an element of a tensor; 0 is that of a byte that holds nothing."""
    return (number << 32) + element + 1


def _is_one_to_one(layer: Layer) -> bool:
    """Whether a channel of the output is made of the same channel of the input alone."""
    return layer.kind not in (Kind.CONV2D, Kind.FULLY_CONNECTED) and layer.inputs[0].channels == layer.output.channels
