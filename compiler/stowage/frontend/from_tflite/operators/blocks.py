# SPDX-License-Identifier: Apache-2.0
"""DEPTH_TO_SPACE, SPACE_TO_DEPTH, SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: blocks of pixels moved between axes."""

from __future__ import annotations

import math

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.read_as import read_as
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Pad, Reshape, Slice, Transpose

Axes = tuple[int, ...]


def depth_to_space(site: OperatorSite) -> list[Value]:
    """[N, H, W, B * B * C] -> [N, H * B, W * B, C]."""
    batch, height, width, depth = _image(site)
    block = _block(site, depth, 1)
    channels = depth // block**2
    apart = batch, height, width, block, block, channels
    return [_moved(site, apart, (0, 1, 3, 2, 4, 5), (batch, height * block, width * block, channels))]


def space_to_depth(site: OperatorSite) -> list[Value]:
    """[N, H * B, W * B, C] -> [N, H, W, B * B * C]."""
    batch, height, width, channels = _image(site)
    block = _block(site, height, 0)
    if width % block:
        site.invalid(f"blocks of {block} do not divide a width of {width}")
    apart = batch, height // block, block, width // block, block, channels
    return [_moved(site, apart, (0, 1, 3, 2, 4, 5), (batch, height // block, width // block, block * block * channels))]


def _image(site: OperatorSite) -> Axes:
    shape = site.input(0).type.shape
    if len(shape) != 4:
        site.invalid(f"its input has the shape {list(shape)} instead of four axes")
    return shape


def _block(site: OperatorSite, extent: int, power: int) -> int:
    """The size of a block, whose square or itself divides the extent."""
    block = site.option("BlockSize")
    if block < 1 or extent % block ** (power + 1):
        site.invalid(f"blocks of {block} do not divide {extent}")
    return block


def _moved(site: OperatorSite, apart: Axes, order: Axes, shape: Axes) -> Value:
    split = site.add(Reshape(apart), (site.input(0),), "split")
    return read_as(site, site.add(Reshape(shape), (site.add(Transpose(order), (split,), "moved"),)))


def space_to_batch(site: OperatorSite) -> list[Value]:
    """Padded by operand 2, the axes behind the first split by the blocks of operand 1, whose places go to the batch."""
    data, blocks, pads = _with_pairs(site)
    before, after = ((0, *(pair[end] for pair in pads), *_zeros(data, blocks)) for end in (0, 1))
    if any(before) or any(after):
        data = site.add(Pad(before, after), (data,), "padded")
    batch, *rest = data.type.shape
    extents, channels = rest[: len(blocks)], tuple(rest[len(blocks) :])
    if any(extent % block for extent, block in zip(extents, blocks, strict=True)):
        site.invalid(f"blocks of {list(blocks)} do not divide {extents}")
    kept = tuple(extent // block for extent, block in zip(extents, blocks, strict=True))
    apart = batch, *(part for pair in zip(kept, blocks, strict=True) for part in pair), *channels
    places, pixels = _alternate(len(blocks))
    order = *places, 0, *pixels, *range(1 + 2 * len(blocks), len(apart))
    split = site.add(Reshape(apart), (data,), "split")
    moved = site.add(Transpose(order), (split,), "moved")
    return [read_as(site, site.add(Reshape((batch * math.prod(blocks), *kept, *channels)), (moved,)))]


def batch_to_space(site: OperatorSite) -> list[Value]:
    """The way back, and then cropped by operand 2."""
    data, blocks, crops = _with_pairs(site)
    batch, *rest = data.type.shape
    kept, channels = tuple(rest[: len(blocks)]), tuple(rest[len(blocks) :])
    if batch % math.prod(blocks):
        site.invalid(f"blocks of {list(blocks)} do not divide a batch of {batch}")
    count = len(blocks)
    apart = *blocks, batch // math.prod(blocks), *kept, *channels
    order = count, *(axis for k in range(count) for axis in (count + 1 + k, k)), *range(2 * count + 1, len(apart))
    split = site.add(Reshape(apart), (data,), "split")
    moved = site.add(Transpose(order), (split,), "moved")
    whole = apart[count], *(extent * block for extent, block in zip(kept, blocks, strict=True)), *channels
    joined = site.add(Reshape(whole), (moved,), "joined")
    begins = 0, *(first for first, _ in crops), *_zeros(data, blocks)
    cropped = tuple(extent - sum(crop) for extent, crop in zip(whole[1:], crops, strict=False))
    shape = whole[0], *cropped, *channels
    return [read_as(site, site.add(Slice(begins, shape, (1,) * len(shape)), (joined,)))]


def _with_pairs(site: OperatorSite) -> tuple[Value, Axes, list[tuple[int, int]]]:
    """The input, the blocks, and two numbers for each of their axes."""
    data, blocks, flat = site.input(0), site.integers(1, "blocks"), site.integers(2, "padding or cropping")
    sound = len(flat) == 2 * len(blocks) and len(data.type.shape) > len(blocks) and min(flat, default=0) >= 0
    if not sound or min(blocks, default=1) < 1:
        site.invalid(f"blocks of {list(blocks)} and {list(flat)} do not suit the shape {list(data.type.shape)}")
    return data, blocks, list(zip(flat[::2], flat[1::2], strict=True))


def _zeros(data: Value, blocks: Axes) -> Axes:
    """For the axes behind the blocks'."""
    return (0,) * (len(data.type.shape) - 1 - len(blocks))


def _alternate(count: int) -> tuple[Axes, Axes]:
    """Axes of the places within blocks and of the blocks, which follow each other in pairs behind the batch."""
    return tuple(2 + 2 * k for k in range(count)), tuple(1 + 2 * k for k in range(count))
