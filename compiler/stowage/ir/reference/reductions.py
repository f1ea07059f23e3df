# SPDX-License-Identifier: Apache-2.0
"""Reductions, normalisation, running sums and products of reals or of plain integers, which wrap around."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stowage.ir.ops import reduction
from stowage.ir.ops.op import Op

AnyFunction = Callable[[Any, Sequence[Any]], Any]


def _over_axes(reduce: Callable[..., Any], of: Callable[[Any], Any] = lambda x: x) -> AnyFunction:
    def compute(op: reduction.Reduction, operands: Sequence[Any]) -> Any:
        elements = of(operands[0])
        return reduce(elements, axis=op.axes, keepdims=op.keepdims).astype(elements.dtype)

    return compute


def _extreme(reduce: Callable[..., Any], last: Callable[[Any], Any]) -> AnyFunction:
    """The extreme of nothing is the last number in the order that is asked for."""

    def compute(op: reduction.Reduction, operands: Sequence[Any]) -> Any:
        data = operands[0]
        return reduce(data, axis=op.axes, keepdims=op.keepdims, initial=last(data.dtype)).astype(data.dtype)

    return compute


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else False if dtype.kind == "b" else np.iinfo(dtype).min


def _highest(dtype: Any) -> Any:
    return np.inf if dtype.kind == "f" else True if dtype.kind == "b" else np.iinfo(dtype).max


def _log_sum_exp(op: reduction.ReduceLogSumExp, operands: Sequence[Any]) -> Any:
    over_axes: Any = np.logaddexp.reduce
    return over_axes(operands[0], axis=op.axes, keepdims=op.keepdims)


def _normalize(op: reduction.Normalize, operands: Sequence[Any]) -> Any:
    data = operands[0]
    centred = data - data.mean(axis=op.axes, keepdims=True) if op.centred else data
    return centred / np.sqrt((centred**2).mean(axis=op.axes, keepdims=True) + op.epsilon)


def _cumulate(accumulate: Callable[..., Any], start: int) -> AnyFunction:
    def compute(op: reduction.Cumulation, operands: Sequence[Any]) -> Any:
        data = np.flip(operands[0], op.axis) if op.reverse else operands[0]
        results = accumulate(data, axis=op.axis, dtype=data.dtype)
        results = _shifted(op.axis, results, start) if op.exclusive else results
        return np.flip(results, op.axis) if op.reverse else results

    return compute


def _shifted(axis: int, results: Any, start: int) -> Any:
    """Each result one place later, the first one `start`."""
    later = np.roll(results, 1, axis)
    later[(slice(None),) * axis + (0,)] = start
    return later


def _square(x: Any) -> Any:
    return x * x


def _then(function: Callable[[Any], Any], reduce: AnyFunction) -> AnyFunction:
    return lambda op, operands: function(reduce(op, operands))


_SUM = _over_axes(np.sum)
_SUM_OF_SQUARES = _over_axes(np.sum, _square)

REDUCTIONS: Mapping[type[Op], AnyFunction] = {
    reduction.ReduceSum: _SUM,
    reduction.ReduceProd: _over_axes(np.prod),
    reduction.ReduceMax: _extreme(np.max, _lowest),
    reduction.ReduceMin: _extreme(np.min, _highest),
    reduction.ReduceL1: _over_axes(np.sum, np.abs),
    reduction.ReduceL2: _then(np.sqrt, _SUM_OF_SQUARES),
    reduction.ReduceSumSquare: _SUM_OF_SQUARES,
    reduction.ReduceLogSum: _then(np.log, _SUM),
    reduction.ReduceLogSumExp: _log_sum_exp,
    reduction.Normalize: _normalize,
    reduction.CumSum: _cumulate(np.cumsum, 0),
    reduction.CumProd: _cumulate(np.cumprod, 1),
}
"""By operator: the function of its record and its operand."""
