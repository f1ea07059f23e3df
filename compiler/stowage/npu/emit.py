# SPDX-License-Identifier: Apache-2.0
"""A placed segment as the words of its command stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from stowage.npu import words
from stowage.npu.layer import Kind
from stowage.npu.placing import Placed, Placement
from stowage.npu.tile import Copy, Stream, Work
from stowage.npu.words import command, halves, place, quarters
from stowage.target.board import Npu

_SLIDING = {
    Kind.CONV2D: words.CONV2D,
    Kind.DEPTHWISE: words.DEPTHWISE,
    Kind.MAX_POOL: words.MAX_POOL,
    Kind.AVERAGE_POOL: words.AVERAGE_POOL,
}


def emit(placement: Placement, windows: Mapping[str, int], npu: Npu) -> NDArray[np.uint32]:
    """The stream.

    Args:
        placement: the segment's work with its steps and banks.
        windows: numbers of the windows by name.
        npu: whose banks the stream is for.
    """
    body = [word for line in _lines(placement, windows) for word in line]
    header = (words.MAGIC, words.VERSION, words.HEADER_WORDS + len(body), npu.banks, npu.bank_bytes, len(windows))
    return np.array([*header, *body], np.uint32)


def _lines(placement: Placement, windows: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
    work = dict(zip(placement.steps, placement.tiling.work, strict=True))
    for step in range(placement.step_count):
        copies = list(_copies(placement, step, windows))
        yield from copies
        if step in work:
            yield _engine(work[step], placement.placed)
        if copies or step in work:
            yield command(words.STEP)
    yield command(words.END)


def _copies(placement: Placement, step: int, windows: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
    """What the DMA does in a step: loads first, so that what is stored may lie over what has been loaded."""
    for each in placement.placed.values():
        if each.load_step == step and each.piece.load is not None:
            yield _copy(words.COPY_IN, each, each.piece.load, windows)
    for each in placement.placed.values():
        if each.store_step == step and each.piece.store is not None:
            yield _copy(words.COPY_OUT, each, each.piece.store, windows)


def _copy(code: int, each: Placed, copy: Copy, windows: Mapping[str, int]) -> tuple[int, ...]:
    inside = place(each.bank, each.offset_bytes)
    return command(code, windows[copy.window], copy.window_offset_bytes, inside, copy.size_bytes, 1, 0, 0)


def _engine(work: Work, placed: Mapping[str, Placed]) -> tuple[int, ...]:
    def at(stream: Stream | None) -> int:
        if stream is None:
            return 0
        piece = placed[stream.piece]
        return place(piece.bank, piece.offset_bytes + stream.offset_bytes)

    layer, rows = work.layer, work.output_rows[1] - work.output_rows[0]
    inputs, parameters, output = [at(stream) for stream in work.inputs], at(work.parameters), at(work.output)
    if layer.kind is Kind.ADD:
        last = (rows, layer.rounding, layer.output_word, *layer.sum_words)
        return command(words.ADD, *inputs, output, *last)
    if layer.kind is Kind.REQUANTISE:
        return command(words.REQUANTISE, inputs[0], parameters, output, rows)
    if layer.kind is Kind.FULLY_CONNECTED:
        extents = halves(rows, layer.inputs[0].channels), work.channels[1] - work.channels[0], layer.output.channels
        stage = layer.output_word, layer.rounding
        return command(words.FULLY_CONNECTED, inputs[0], parameters, output, *extents, *stage)
    return command(_SLIDING[layer.kind], inputs[0], parameters, output, *_window_words(work, rows))


def _window_words(work: Work, rows: int) -> tuple[int, ...]:
    layer, window = work.layer, work.layer.window
    source, made = layer.inputs[0], layer.output
    channels = work.channels[1] - work.channels[0]
    sees_own = layer.kind is Kind.DEPTHWISE and source.channels == made.channels
    return (
        halves(work.input_rows[1] - work.input_rows[0], source.columns),
        halves(channels if sees_own else source.channels, channels),
        halves(rows, made.columns),
        quarters(*window.kernel, *window.strides),
        quarters(work.pad_top, window.pads[1], *window.dilations),
        source.channels,
        made.channels,
        layer.output_word,
        layer.rounding,
    )
