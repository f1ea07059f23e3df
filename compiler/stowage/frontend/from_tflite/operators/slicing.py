# SPDX-License-Identifier: Apache-2.0
"""SLICE, STRIDED_SLICE, SPLIT, SPLIT_V and UNPACK: parts of a tensor along its axes."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.frontend.from_tflite.axes import axis_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.read_as import read_as
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Reshape, Slice


def slice_(site: OperatorSite) -> list[Value]:
    """From a begin along each axis, so many elements; -1 takes all that are left."""
    data, begins, sizes = site.input(0), site.integers(1, "begin"), site.integers(2, "size")
    shape = data.type.shape
    if not len(begins) == len(sizes) == len(shape):
        site.invalid(f"begin and size have {len(begins)} and {len(sizes)} entries for {len(shape)} axes")
    kept = tuple(
        extent - begin if size == -1 else size for begin, size, extent in zip(begins, sizes, shape, strict=True)
    )
    return [read_as(site, site.add(Slice(begins, kept, (1,) * len(shape)), (data,)))]


def strided_slice(site: OperatorSite) -> list[Value]:
    """From begin to end in steps along each axis; bits of masks leave an end open, drop an axis, put one of extent one
    in, or leave all axes that are not spoken of whole."""
    data, extents = site.input(0), iter(site.input(0).type.shape)
    begins, ends, steps = (site.integers(index, what) for index, what in ((1, "begin"), (2, "end"), (3, "strides")))
    if not len(begins) == len(ends) == len(steps):
        site.invalid("begin, end and strides are of different lengths")
    ranges: list[range] = []
    shape: list[int] = []
    for place, bounds in enumerate(zip(begins, ends, steps, strict=True)):
        if _marked(site, "EllipsisMask", place):
            later = range(place + 1, len(begins))
            spoken = len(ranges) + sum(not _marked(site, "NewAxisMask", each) for each in later)
            whole = [range(next(extents)) for _ in range(len(data.type.shape) - spoken)]
            ranges += whole
            shape += map(len, whole)
        elif _marked(site, "NewAxisMask", place):
            shape.append(1)
        else:
            extent = next(extents, None)
            if extent is None:
                site.invalid(f"it takes from more axes than the shape {list(data.type.shape)} has")
            dropped = _marked(site, "ShrinkAxisMask", place)
            ranges.append(_single(site, bounds[0], extent) if dropped else _range(site, place, *bounds, extent))
            shape += [] if dropped else [len(ranges[-1])]
    rest = [range(extent) for extent in extents]
    return [read_as(site, _sliced(site, data, ranges + rest, (*shape, *map(len, rest))))]


def _marked(site: OperatorSite, mask: str, place: int) -> bool:
    return bool(site.option(mask) >> place & 1)


def _sliced(site: OperatorSite, data: Value, ranges: Sequence[range], shape: tuple[int, ...]) -> Value:
    """The elements at the indices along each axis, in another shape if need be."""
    op = Slice(tuple(taken.start for taken in ranges), tuple(map(len, ranges)), tuple(taken.step for taken in ranges))
    if op.shape == shape:
        return site.add(op, (data,))
    return site.add(Reshape(shape), (site.add(op, (data,), "slice"),))


def _single(site: OperatorSite, begin: int, extent: int) -> range:
    """The one index along an axis that goes."""
    if not -extent <= begin < extent:
        site.invalid(f"it takes element {begin} of an axis of {extent}")
    return range(begin % extent, begin % extent + 1)


def _range(site: OperatorSite, axis: int, begin: int, end: int, step: int, extent: int) -> range:
    """Indices along an axis; bounds outside are moved to its ends."""
    if step == 0:
        site.invalid(f"its stride along axis {axis} is 0")
    if site.option("Offset", False):
        end += begin
    begin_open, end_open = (bool(site.option(mask) >> axis & 1) for mask in ("BeginMask", "EndMask"))
    start, stop, _ = slice(None if begin_open else begin, None if end_open else end, step).indices(extent)
    return range(start, stop, step)


def split(site: OperatorSite) -> list[Value]:
    """Operand 1 in as many equal parts as there are results, along the axis of operand 0."""
    data = site.input(1)
    axis = axis_of(site, site.integers(0, "axis")[0], len(data.type.shape))
    count = len(site.record.outputs)
    if not count or data.type.shape[axis] % count:
        site.invalid(f"{count} parts do not divide axis {axis} of the shape {list(data.type.shape)}")
    return _parts(site, data, axis, [data.type.shape[axis] // count] * count)


def split_v(site: OperatorSite) -> list[Value]:
    """Operand 0 in parts of the sizes of operand 1, of which one may be -1, along the axis of operand 2."""
    data, sizes = site.input(0), site.integers(1, "sizes")
    axis = axis_of(site, site.integers(2, "axis")[0], len(data.type.shape))
    rest = data.type.shape[axis] - sum(size for size in sizes if size != -1)
    return _parts(site, data, axis, [rest if size == -1 else size for size in sizes])


def unpack(site: OperatorSite) -> list[Value]:
    """One result for every entry along an axis, which is gone."""
    data = site.input(0)
    axis = axis_of(site, site.option("Axis"), len(data.type.shape))
    shape = (*data.type.shape[:axis], *data.type.shape[axis + 1 :])
    parts = _parts(site, data, axis, [1] * data.type.shape[axis], "slice")
    return [site.add(Reshape(shape), (part,), f"part_{index}") for index, part in enumerate(parts)]


def _parts(site: OperatorSite, data: Value, axis: int, sizes: Sequence[int], role: str = "part") -> list[Value]:
    shape = data.type.shape
    if min(sizes, default=0) < 0 or sum(sizes) != shape[axis] or len(sizes) != len(site.record.outputs):
        site.invalid(f"parts of {list(sizes)} do not make up axis {axis} of the shape {list(shape)}")
    parts, begin = [], 0
    for index, size in enumerate(sizes):
        begins = tuple(begin if each == axis else 0 for each in range(len(shape)))
        kept = (*shape[:axis], size, *shape[axis + 1 :])
        parts.append(site.add(Slice(begins, kept, (1,) * len(shape)), (data,), f"{role}_{index}"))
        begin += size
    return parts
