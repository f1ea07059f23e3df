# SPDX-License-Identifier: Apache-2.0
"""Truth values, comparisons and selection: they compute on stored elements, since no result is quantised anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.ops import combination, truth
from stowage.ir.ops.op import Op
from stowage.ir.reference.operand import Operand
from stowage.ir.tensor_type import TensorType

CombinedFunction = Callable[[Any, Sequence[Operand], TensorType], Array]


def _of_arrays(function: Callable[..., Any]) -> CombinedFunction:
    return lambda op, operands, result: np.asarray(function(*(operand.array for operand in operands)))


def _is_inf(op: truth.IsInf, operands: Sequence[Operand], result: TensorType) -> Array:
    array: Any = operands[0].array
    return np.asarray((np.isposinf(array) & op.positive) | (np.isneginf(array) & op.negative))


COMBINED: Mapping[type[Op], CombinedFunction] = {
    truth.Not: _of_arrays(np.logical_not),
    truth.IsNan: _of_arrays(np.isnan),
    truth.IsInf: _is_inf,
    combination.Equal: _of_arrays(np.equal),
    combination.Less: _of_arrays(np.less),
    combination.LessOrEqual: _of_arrays(np.less_equal),
    combination.And: _of_arrays(np.logical_and),
    combination.Or: _of_arrays(np.logical_or),
    combination.Xor: _of_arrays(np.logical_xor),
    combination.Where: _of_arrays(np.where),
}
"""By operator: the elements of its result, from its record, operands and the result's type."""
