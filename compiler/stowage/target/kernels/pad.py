# SPDX-License-Identifier: Apache-2.0
"""Pad: a constant around a block (pad.h), or elements of the input itself (sample.h)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stowage.ir.graph import Node, Value
from stowage.ir.ops.movement import Pad
from stowage.ir.quantised_clamp import quantise_real
from stowage.target.kernels.axes import filled_up, row_major_strides
from stowage.target.kernels.call_parts import per_tensor, pointers, require_elements, word
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, NoKernel, Overlap, Site
from stowage.target.kernels.overlaps import strided_overlaps
from stowage.target.kernels.sample import sample_call


@dataclass(frozen=True, slots=True)
class _Axis:
    """One axis of the output: extent, elements before the block, those in it, the input's stride. All in elements."""

    extent: int
    before: int
    block: int
    stride: int


def lower_pad(node: Node, site: Site) -> KernelCall:
    """The call for Pad."""
    require_elements(node)
    op = node.op
    assert isinstance(op, Pad)
    if op.mode == "constant":
        return _constant(node, op)
    if op.mode not in ("reflect", "edge", "wrap"):
        raise NoKernel(f'pad in mode "{op.mode}"')
    shape = node.inputs[0].type.shape
    sources = [
        _sources(op.mode, extent, before, after)
        for extent, before, after in zip(shape, op.before, op.after, strict=True)
    ]
    return sample_call(node, sources)


def _sources(mode: str, extent: int, before: int, after: int) -> tuple[int, ...]:
    """The input index of each output index along an axis."""
    wanted = np.arange(-before, extent + after)
    if mode == "wrap":
        first, kept = max(-before, 0), extent + min(before, 0) + min(after, 0)
        wanted = first + (wanted - first) % kept
    if mode == "reflect" and extent > 1:
        period = 2 * (extent - 1)
        wanted = extent - 1 - np.abs(wanted % period - (extent - 1))
    return tuple(np.clip(wanted, 0, extent - 1).tolist())


def _constant(node: Node, op: Pad) -> KernelCall:
    shape, size = node.inputs[0].type.shape, node.output.type.dtype.size_bytes
    steps = row_major_strides(shape)
    begin = sum(max(0, -before) * step for before, step in zip(op.before, steps, strict=True))
    axes = _merged(_axes(shape, steps, op))
    ctype = word(node.output)
    return KernelCall(
        header="stowage/kernels/pad.h",
        function=f"stw_pad_u{8 * size}",
        parameters=(
            ("shape.extents", filled_up(tuple(axis.extent for axis in axes), 1)),
            ("shape.before", filled_up(tuple(axis.before for axis in axes), 0)),
            ("shape.block", filled_up(tuple(axis.block for axis in axes), 1)),
            ("shape.strides", filled_up(tuple(axis.stride for axis in axes), 0)),
            ("shape.begin", begin),
            ("value", _bits(op.value, node.output)),
            FORWARD,
        ),
        arguments=pointers((ctype,), ctype),
        overlaps=_overlaps(node, axes, begin),
    )


def _axes(shape: tuple[int, ...], steps: tuple[int, ...], op: Pad) -> list[_Axis]:
    return [
        _Axis(extent + before + after, max(before, 0), extent + min(before, 0) + min(after, 0), step)
        for extent, before, after, step in zip(shape, op.before, op.after, steps, strict=True)
    ]


def _merged(axes: list[_Axis]) -> tuple[_Axis, ...]:
    """As few axes: one whose block is whole and contiguous goes into the one before it. The last is contiguous."""
    kept: list[_Axis] = []
    for axis in axes:
        last = kept[-1] if kept else None
        if last and axis.block == axis.extent and last.stride == axis.stride * axis.block:
            extent = axis.extent
            kept[-1] = _Axis(last.extent * extent, last.before * extent, last.block * extent, axis.stride)
        elif not axis.extent == axis.block == 1:
            kept.append(axis)
    if not kept or kept[-1].stride != 1:
        kept.append(_Axis(1, 0, 1, 1))
    return tuple(kept)


def _overlaps(node: Node, axes: tuple[_Axis, ...], begin: int) -> tuple[Overlap, ...]:
    """Rows of the block are read one by one, each when all of the output that the walk has passed is written."""
    blocks, size = tuple(axis.block for axis in axes), node.output.type.dtype.size_bytes
    if 0 in blocks:
        return tuple(Overlap(0, 0, direction) for direction in Direction)
    written = row_major_strides(tuple(axis.extent for axis in axes))
    before = sum(axis.before * step for axis, step in zip(axes, written, strict=True)) - begin
    after = sum((axis.extent - axis.before - axis.block) * step for axis, step in zip(axes, written, strict=True))
    last = begin + sum((axis.block - 1) * axis.stride for axis in axes)
    after -= node.inputs[0].type.elements - 1 - last
    return strided_overlaps(
        0,
        blocks[:-1],
        tuple(size * step for step in written[:-1]),
        tuple(size * axis.stride for axis in axes[:-1]),
        (size * before, size * after),
    )


def _bits(value: float, output: Value) -> int:
    """The bits of the added elements, as a signed integer."""
    if output.type.quant is not None:
        per_tensor(output)
        number: float = quantise_real(value, output.type)
    else:
        number = value
    element = np.array([number]).astype(output.type.dtype.numpy)
    return int(element.view(np.dtype(f"int{8 * element.itemsize}"))[0])
