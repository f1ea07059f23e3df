# SPDX-License-Identifier: Apache-2.0
"""ARG_MAX, ARG_MIN, TOPK_V2 and CUMSUM: what depends on the order along an axis."""

from __future__ import annotations

from stowage.frontend.from_tflite.axes import axis_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.read_as import as_integers
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Cast
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.reduction import ArgMax, CumSum
from stowage.ir.ops.selection import GatherElements, TopK


def arg_max(site: OperatorSite) -> list[Value]:
    """The index of the first largest element along the axis of operand 1."""
    data, axis = site.input(0), _axis(site)
    return [_of_width(site, site.add(ArgMax(axis, keepdims=False), (data,), "index"), 0)]


def arg_min(site: OperatorSite) -> list[Value]:
    """The index of the first smallest element along the axis of operand 1."""
    data, axis = site.input(0), _axis(site)
    shape = data.type.shape
    place = site.add(TopK(axis, 1, largest=False), (_ordered(site, data),), "place")
    dropped = site.add(Reshape((*shape[:axis], *shape[axis + 1 :])), (place,), "index")
    return [_of_width(site, dropped, 0)]


def topk(site: OperatorSite) -> list[Value]:
    """The so many largest elements along the last axis, and their indices."""
    data, (count,) = site.input(0), site.integers(1, "count")
    axis = len(data.type.shape) - 1
    indices = site.add(TopK(axis, count), (_ordered(site, data),), "places")
    return [site.add(GatherElements(axis), (data, indices), "values"), _of_width(site, indices, 1)]


def cumsum(site: OperatorSite) -> list[Value]:
    """Sums of all elements up to each along the axis of operand 1."""
    exclusive, reverse = (bool(site.option(name, False)) for name in ("Exclusive", "Reverse"))
    return [site.add(CumSum(_axis(site), exclusive, reverse), (site.input(0),))]


def _ordered(site: OperatorSite, data: Value) -> Value:
    """Numbers in the order of the input's."""
    return data if data.type.quant is None else as_integers(site, data)


def _axis(site: OperatorSite) -> int:
    return axis_of(site, site.integers(1, "axis")[0], len(site.input(0).type.shape))


def _of_width(site: OperatorSite, indices: Value, result: int) -> Value:
    """Indices in the element type that a result is declared with."""
    wanted = site.declared(result).dtype
    return indices if indices.type.dtype is wanted else site.add(Cast(wanted), (indices,), "indices" if result else "")
