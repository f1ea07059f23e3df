# SPDX-License-Identifier: Apache-2.0
"""Random layers that move, join, cut and reduce; operands that used to be attributes follow the operator set."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.differential.draft import Draft, Unfit
from tests.differential.layers import activation


def _ints(draft: Draft, *values: int) -> str:
    return draft.constant(np.array(values, np.int64))


def _axis(draft: Draft, x: str) -> int:
    rank = len(draft.shape(x))
    if not rank:
        raise Unfit
    axis = draft.random.randrange(rank)
    return axis - rank if draft.opset >= 11 and draft.chance(0.4) else axis


def softmax(draft: Draft, x: str) -> list[str]:
    """Softmax along any axis."""
    return [draft.one("Softmax", x, **({"axis": _axis(draft, x)} if draft.chance(0.8) else {}))]


def mean(draft: Draft, x: str) -> list[str]:
    """ReduceMean over any axes."""
    rank = len(draft.shape(x))
    axes = sorted(draft.random.sample(range(rank), draft.random.randint(1, rank))) if rank else []
    attributes: dict[str, Any] = {"keepdims": draft.random.randrange(2)} if draft.chance(0.7) else {}
    if not axes or draft.chance(0.1):
        return [draft.one("ReduceMean", x, **attributes)]
    if draft.opset >= 11 and draft.chance(0.4):
        axes = [axis - rank for axis in axes]
    if draft.opset >= 18:
        return [draft.one("ReduceMean", x, _ints(draft, *axes), **attributes)]
    return [draft.one("ReduceMean", x, axes=axes, **attributes)]


def arg_max(draft: Draft, x: str) -> list[str]:
    """ArgMax, as integers or as reals."""
    attributes: dict[str, Any] = {"axis": _axis(draft, x), "keepdims": draft.random.randrange(2)}
    if draft.opset >= 12 and draft.chance(0.3):
        attributes["select_last_index"] = 1
    found = draft.one("ArgMax", x, **attributes)
    return [draft.one("Cast", found, to=1)] if draft.chance(0.4) else [found]


def transpose(draft: Draft, x: str) -> list[str]:
    """Any permutation; or there and back with something between, as TensorFlow's exporters write it."""
    rank = len(draft.shape(x))
    if not rank:
        raise Unfit
    permutation = draft.random.sample(range(rank), rank)
    if rank == 4 and draft.chance(0.6):
        permutation = draft.random.choice(([0, 2, 3, 1], [0, 3, 1, 2]))
    if draft.chance(0.15):
        return [draft.one("Transpose", x)]
    moved = draft.one("Transpose", x, perm=permutation)
    if draft.chance(0.5):
        return [moved]
    back = [permutation.index(axis) for axis in range(rank)]
    return [draft.one("Transpose", activation(draft, moved)[0], perm=back)]


def reshape(draft: Draft, x: str) -> list[str]:
    """Reshape, Flatten, Squeeze and Unsqueeze."""
    shape = draft.shape(x)
    way = draft.random.choice(("Reshape", "Reshape", "Flatten", "Squeeze", "Unsqueeze"))
    if way == "Flatten":
        return [draft.one("Flatten", x, axis=draft.random.randint(0, len(shape)))]
    if way == "Reshape":
        return [draft.one("Reshape", x, _ints(draft, *_target(draft, shape)))]
    axes = [axis for axis, extent in enumerate(shape) if extent == 1]
    if way == "Unsqueeze":
        axes = sorted(draft.random.sample(range(len(shape) + 1), draft.random.randint(1, min(2, len(shape) + 1))))
    if not axes:
        raise Unfit
    return [draft.one(way, x, _ints(draft, *axes)) if draft.opset >= 13 else draft.one(way, x, axes=axes)]


def _target(draft: Draft, shape: tuple[int, ...]) -> list[int]:
    factors: list[int] = []
    left = math.prod(shape)
    for _ in range(draft.random.randrange(3)):
        factors.append(draft.random.choice([d for d in range(1, left + 1) if left % d == 0]))
        left //= factors[-1]
    factors.append(left)
    draft.random.shuffle(factors)
    if shape and draft.chance(0.3) and shape[0] == factors[0]:
        factors[0] = 0
    elif draft.chance(0.4):
        factors[draft.random.randrange(len(factors))] = -1
    return factors


def concat(draft: Draft, x: str) -> list[str]:
    """Concat with other tensors, constants and itself, along any axis."""
    shape, axis = draft.shape(x), _axis(draft, x)
    place = axis % len(shape)
    kind = draft.example(x).dtype
    alike = [name for name, array in draft.values.items() if array.dtype == kind]
    mates = [name for name in alike if _matches(draft.shape(name), shape, place)]
    operands = [x, *draft.random.choices(mates, k=draft.random.randint(0, 2))]
    if draft.chance(0.2):
        operands.append(draft.constant((4 * draft.reals(*shape)).astype(np.int8).astype(kind)))
    draft.random.shuffle(operands)
    return draft.node("Concat", operands, axis=axis)


def _matches(other: tuple[int, ...], shape: tuple[int, ...], axis: int) -> bool:
    return len(other) == len(shape) and other[:axis] == shape[:axis] and other[axis + 1 :] == shape[axis + 1 :]


def split(draft: Draft, x: str) -> list[str]:
    """Split, equal or not; parts may stay unused."""
    axis = _axis(draft, x)
    extent = draft.shape(x)[axis]
    if extent < 2:
        raise Unfit
    cut = draft.random.randint(1, extent - 1)
    lengths = [cut, extent - cut]
    if lengths[0] == lengths[1] and draft.chance(0.5):
        return draft.node("Split", [x], 2, axis=axis, **({"num_outputs": 2} if draft.opset >= 18 else {}))
    if draft.opset >= 13:
        return draft.node("Split", [x, _ints(draft, *lengths)], 2, axis=axis)
    return draft.node("Split", [x], 2, axis=axis, split=lengths)


def cut(draft: Draft, x: str) -> list[str]:
    """Slice along some axes; backwards where the operator set knows it."""
    shape = draft.shape(x)
    axes = sorted(draft.random.sample(range(len(shape)), draft.random.randint(1, min(3, len(shape))))) if shape else []
    if not axes:
        raise Unfit
    starts, ends, steps = [], [], []
    for axis in axes:
        step = draft.random.choice((1, 1, 2, 3, -1, -2)) if draft.opset >= 10 else 1
        low, high = sorted((draft.random.randrange(shape[axis]), draft.random.randint(1, shape[axis])))
        start, end = (low, max(high, low + 1)) if step > 0 else (max(high - 1, low), low - 1 - shape[axis] * (low == 0))
        starts.append(start - shape[axis] if draft.chance(0.3) else start)
        ends.append(2**62 if step > 0 and draft.chance(0.2) else end)
        steps.append(step)
    if draft.opset < 10:
        return [draft.one("Slice", x, starts=starts, ends=ends, axes=axes)]
    return [draft.one("Slice", x, *(_ints(draft, *values) for values in (starts, ends, axes, steps)))]


def pad(draft: Draft, x: str) -> list[str]:
    """Pad in all modes, negative too."""
    shape = draft.shape(x)
    if not shape:
        raise Unfit
    mode = draft.random.choice(("constant", "constant", "reflect", "edge"))
    most = [min(2, extent - 1) if mode == "reflect" else 2 for extent in shape] * 2
    pads = [draft.random.randint(0, limit) if draft.chance(0.4) else 0 for limit in most]
    if mode == "constant" and draft.chance(0.1):
        pads[draft.random.randrange(len(pads))] = -1
    value = draft.random.choice((0.0, 0.0, 1.5, 3.0))
    kind = draft.example(x).dtype
    if draft.opset < 11:
        return [draft.one("Pad", x, mode=mode, pads=pads, value=value)]
    more = [draft.constant(np.array(value, kind))] if mode == "constant" and draft.chance(0.6) else []
    return [draft.one("Pad", x, _ints(draft, *pads), *more, mode=mode)]


def resize(draft: Draft, x: str) -> list[str]:
    """Resize and Upsample of the last two axes, or of the middle two."""
    shape = draft.shape(x)
    if len(shape) not in (3, 4):
        raise Unfit
    axes = (1, 2) if len(shape) == 4 and draft.chance(0.2) else (len(shape) - 2, len(shape) - 1)
    scales = np.ones(len(shape), np.float32)
    for axis in axes:
        scales[axis] = draft.random.choice((1, 2, 3) if draft.opset < 10 else (1, 2, 2, 3, 0.5, 1.5, 1.3))
    mode = draft.random.choice(("nearest", "linear"))
    if draft.opset < 9:
        return [draft.one("Upsample", x, mode=mode, scales=scales.tolist())]
    if draft.opset < 11:
        return [draft.one("Resize" if draft.opset == 10 else "Upsample", x, draft.constant(scales), mode=mode)]
    attributes: dict[str, Any] = {"mode": mode}
    if draft.chance(0.8):
        coordinates = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
        attributes["coordinate_transformation_mode"] = draft.random.choice(coordinates)
    if mode == "nearest" and draft.chance(0.7):
        attributes["nearest_mode"] = draft.random.choice(("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    none = draft.constant(np.zeros(0, np.float32)) if draft.opset < 13 or draft.chance(0.3) else ""
    if draft.chance(0.5):
        return [draft.one("Resize", x, none, draft.constant(scales), **attributes)]
    sizes = [max(1, int(extent * scale)) for extent, scale in zip(shape, scales.tolist(), strict=True)]
    absent = draft.constant(np.zeros(0, np.float32)) if draft.opset < 13 else ""
    return [draft.one("Resize", x, none, absent, _ints(draft, *sizes), **attributes)]


def dropout(draft: Draft, x: str) -> list[str]:
    """Dropout, which does nothing at inference."""
    return [draft.one("Dropout", x)]


def integers(draft: Draft, x: str) -> list[str]:
    """Arithmetic and conversions of whole numbers."""
    if draft.example(x).dtype not in (np.int32, np.int64):
        return [draft.one("Cast", x, to=draft.random.choice((1, 6, 7)))]
    way = draft.random.choice(("Add", "Sub", "Mul", "Cast", "Div"))
    if way == "Cast":
        return [draft.one("Cast", x, to=draft.random.choice((1, 6, 7)))]
    other = np.array(draft.random.choice((1, 2, -3, 7)), draft.example(x).dtype)
    return [draft.one(way, x, draft.constant(other))]
