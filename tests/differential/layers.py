# SPDX-License-Identifier: Apache-2.0
"""Random layers over float tensors: each takes a tensor's name and returns what it made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.differential.draft import Draft, Unfit

Layer = Callable[[Draft, str], list[str]]


def _spatial(draft: Draft, x: str) -> tuple[int, ...]:
    shape = draft.shape(x)
    if len(shape) not in (3, 4):
        raise Unfit
    return shape[2:]


def _window(draft: Draft, extents: tuple[int, ...], kernel: list[int], dilations: list[int]) -> dict[str, Any]:
    """Strides and pads in one of the ways in which ONNX lets them be said."""
    attributes: dict[str, Any] = {}
    if draft.chance(0.6):
        attributes["strides"] = [draft.random.choice((1, 1, 2, 3)) for _ in extents]
    way = draft.random.choice(("pads", "pads", "symmetric", "none", "SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"))
    spans = [dilation * (size - 1) + 1 for size, dilation in zip(kernel, dilations, strict=True)]
    if way == "pads":
        attributes["pads"] = [draft.random.randrange(min(span, 4)) for span in spans * 2]
    elif way == "symmetric":
        attributes["pads"] = [span // 2 for span in spans] * 2
    elif way != "none":
        attributes["auto_pad"] = way
    return attributes


def _dilations(draft: Draft, rank: int) -> list[int]:
    return [draft.random.choice((1, 2, 3)) for _ in range(rank)] if draft.chance(0.3) else [1] * rank


def convolution(draft: Draft, x: str) -> list[str]:
    """Conv of one or two dimensions: plain, grouped, depthwise."""
    extents, channels = _spatial(draft, x), draft.shape(x)[1]
    kernel = [draft.random.choice((1, 1, 2, 3, 3, 5)) for _ in extents]
    groups = draft.random.choice([g for g in range(1, channels + 1) if channels % g == 0])
    outputs = groups * draft.random.randint(1, 3 if groups > 1 else 6)
    dilations = _dilations(draft, len(extents))
    attributes = _window(draft, extents, kernel, dilations)
    if dilations != [1] * len(extents) or draft.chance(0.2):
        attributes["dilations"] = dilations
    if draft.chance(0.5):
        attributes["kernel_shape"] = kernel
    if groups > 1 or draft.chance(0.2):
        attributes["group"] = groups
    fan_in = channels // groups * int(np.prod(kernel))
    weights = draft.constant(draft.reals(outputs, channels // groups, *kernel) / np.float32(fan_in**0.5))
    bias = [draft.constant(draft.reals(outputs))] if draft.chance(0.6) else []
    return [draft.one("Conv", x, weights, *bias, **attributes)]


def pooling(draft: Draft, x: str) -> list[str]:
    """MaxPool and AveragePool."""
    extents = _spatial(draft, x)
    kernel = [draft.random.choice((1, 2, 2, 3, 4)) for _ in extents]
    op_type = draft.random.choice(("MaxPool", "AveragePool"))
    dilations = _dilations(draft, len(extents))
    since = 10 if op_type == "MaxPool" else 19
    if draft.opset < since:
        dilations = [1] * len(extents)
    attributes = _window(draft, extents, kernel, dilations)
    if dilations != [1] * len(extents):
        attributes["dilations"] = dilations
        # ONNX Runtime leaves dilations out of the pads that these two ask for, against ONNX.
        attributes.pop("auto_pad", None)
    if draft.opset >= 10 and draft.chance(0.3):
        attributes["ceil_mode"] = 1
    if op_type == "AveragePool" and draft.chance(0.4):
        attributes["count_include_pad"] = 1
    return [draft.one(op_type, x, kernel_shape=kernel, **attributes)]


def global_pooling(draft: Draft, x: str) -> list[str]:
    """GlobalAveragePool."""
    _spatial(draft, x)
    return [draft.one("GlobalAveragePool", x)]


def activation(draft: Draft, x: str) -> list[str]:
    """Everything that takes one element and gives one."""
    if draft.example(x).dtype != np.float32:
        raise Unfit
    op_type = draft.random.choice(
        ("Relu", "Relu", "LeakyRelu", "HardSigmoid", "Sigmoid", "Tanh", "Clip", "Clip", "HardSwish", "Identity")
    )
    if op_type == "Clip":
        return [_clip(draft, x)]
    if op_type == "HardSwish" and draft.opset < 14:
        return [draft.one("Mul", x, draft.one("HardSigmoid", x, alpha=1 / 6, beta=0.5))]
    attributes: dict[str, Any] = {}
    if op_type in ("LeakyRelu", "HardSigmoid") and draft.chance(0.6):
        attributes["alpha"] = draft.random.choice((0.1, 0.3, 1.5, -0.5, 1 / 6))
    return [draft.one(op_type, x, **attributes)]


def _clip(draft: Draft, x: str) -> str:
    low, high = draft.random.choice(((0.0, 6.0), (-1.0, 1.0), (None, 0.5), (-0.25, None), (None, None), (0.5, 0.5)))
    if draft.opset < 11:
        bounds = {name: bound for name, bound in (("min", low), ("max", high)) if bound is not None}
        return draft.one("Clip", x, **bounds)
    names = ["" if bound is None else draft.constant(np.array(bound, np.float32)) for bound in (low, high)]
    while names and not names[-1]:
        names.pop()
    return draft.one("Clip", x, *names)


def _broadcastable(draft: Draft, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that repeats to `shape`, or has more axes."""
    kept = shape[draft.random.randint(0, len(shape)) :] if draft.chance(0.5) else shape
    kept = tuple(1 if draft.chance(0.4) else extent for extent in kept)
    return (1,) * (len(shape) - len(kept) + 1) + kept if draft.chance(0.05) else kept


def with_constant(draft: Draft, x: str) -> list[str]:
    """A binary operator with a constant on either side."""
    op_type = draft.random.choice(("Add", "Sub", "Mul", "Div"))
    array = draft.reals(*_broadcastable(draft, draft.shape(x)))
    if op_type == "Div":
        array = np.where(np.abs(array) < 0.2, np.float32(0.2), array).astype(np.float32)
    operands = [x, draft.constant(np.asarray(array, np.float32))]
    if op_type != "Div" and draft.chance(0.4):
        operands.reverse()
    return [draft.one(op_type, *operands)]


def with_tensor(draft: Draft, x: str) -> list[str]:
    """A binary operator with another tensor that is there: a residual, or one with itself."""
    mates = [name for name in floats(draft) if _broadcast(draft.shape(name), draft.shape(x))]
    operands = [x, draft.random.choice(mates)]
    draft.random.shuffle(operands)
    op_type = draft.random.choice(("Add", "Add", "Sub", "Mul", "Div"))
    if op_type == "Div":
        operands[1] = draft.one("Add", draft.one("Sigmoid", operands[1]), draft.constant(np.array(0.5, np.float32)))
    return [draft.one(op_type, *operands)]


def _broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(i == j or i == 1 or j == 1 for i, j in zip(reversed(a), reversed(b), strict=False))


def floats(draft: Draft) -> list[str]:
    """The float tensors that a run computes."""
    return [name for name, array in draft.values.items() if array.dtype == np.float32]


def normalisation(draft: Draft, x: str) -> list[str]:
    """BatchNormalization of any rank."""
    shape = draft.shape(x)
    if len(shape) < 2:
        raise Unfit
    arrays = [draft.reals(shape[1]) for _ in range(3)] + [np.abs(draft.reals(shape[1])) + np.float32(0.1)]
    attributes = {"epsilon": 1e-3} if draft.chance(0.5) else {}
    return [draft.one("BatchNormalization", x, *(draft.constant(array) for array in arrays), **attributes)]


def dense(draft: Draft, x: str) -> list[str]:
    """Gemm and MatMul with a constant, on either side, of odd ranks."""
    shape = draft.shape(x)
    if len(shape) == 2 and draft.chance(0.6):
        return [_gemm(draft, x, shape)]
    if not shape:
        raise Unfit
    width = draft.random.randint(1, 7)
    inner = np.float32(shape[-1] ** 0.5)
    way = draft.random.randrange(5)
    if way == 0:
        return [draft.one("MatMul", x, draft.constant(draft.reals(shape[-1]) / inner))]
    if way == 1 and len(shape) >= 2:
        return [draft.one("MatMul", draft.constant(draft.reals(width, shape[-2])), x)]
    if way == 2 and len(shape) >= 3:
        return [draft.one("MatMul", x, draft.constant(draft.reals(*shape[:-2], shape[-1], width) / inner))]
    if way == 3:
        return [draft.one("MatMul", x, draft.constant(draft.reals(2, 1, shape[-1], width) / inner))]
    product = draft.one("MatMul", x, draft.constant(draft.reals(shape[-1], width) / inner))
    return [draft.one("Add", product, draft.constant(draft.reals(width)))] if draft.chance(0.6) else [product]


def _gemm(draft: Draft, x: str, shape: tuple[int, ...]) -> str:
    width = draft.random.randint(1, 9)
    flipped, transposed = draft.chance(0.2), draft.chance(0.5)
    inner, rows = (shape[0], shape[1]) if flipped else (shape[1], shape[0])
    weights = draft.reals(*((width, inner) if transposed else (inner, width))) / np.float32(inner**0.5)
    operands = [x, draft.constant(weights)]
    if draft.opset < 11 or draft.chance(0.7):
        bias = draft.random.choice(((width,), (1, width), (rows, width), (1,), (rows, 1), ()))
        operands.append(draft.constant(np.asarray(draft.reals(*bias), np.float32)))
    attributes: dict[str, Any] = {"transA": int(flipped), "transB": int(transposed)}
    if draft.chance(0.3):
        attributes |= {"alpha": 0.5, "beta": draft.random.choice((0.0, 2.0, -1.0))}
    return draft.one("Gemm", *operands, **attributes)


def product(draft: Draft, x: str) -> list[str]:
    """MatMul of two tensors that a run computes: one with its own transpose, as attention does."""
    rank = len(draft.shape(x))
    if rank < 2:
        raise Unfit
    permutation = [*range(rank - 2), rank - 1, rank - 2]
    return [draft.one("MatMul", x, draft.one("Transpose", x, perm=permutation))]
