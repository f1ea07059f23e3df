# SPDX-License-Identifier: Apache-2.0
"""SVDF of reals: a dense layer whose weights are products of a vector over inputs and one over time.

Each filter makes one number of the input. The last so many of them are its memory, a variable of the model, which the
filter weighs; as many filters as the rank says make one output together.
"""

from __future__ import annotations

from stowage.frontend.from_tflite.fused_activation import fused_clamp
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, Clip, Mul
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Concat, Reshape, Slice
from stowage.ir.ops.reduction import ReduceSum

_INPUT, _FEATURES, _TIMES, _BIAS, _STATE = range(5)


def svdf(site: OperatorSite) -> list[Value]:
    """Input [B, I], vectors over inputs [F, I] and over time [F, T], bias [F / rank] or none, state [B, F * T]."""
    data, features, times, state = (site.input(index) for index in (_INPUT, _FEATURES, _TIMES, _STATE))
    if {value.type.dtype for value in (data, features, times, state)} != {DType.F32}:
        site.refuse("it computes with quantised integers", "keep it in float32")
    (batch, _), (filters, steps) = data.type.shape, times.type.shape
    rank = site.option("Rank", 1)
    if rank < 1 or filters % rank:
        site.invalid(f"{filters} filters are not outputs of the rank {rank}")
    new = site.add(FullyConnected(), (data, features), "new")
    memory = _remembered(site, state, site.add(Reshape((batch, filters, 1)), (new,), "newest"), steps)
    site.tensors.keep(site.record.inputs[_STATE], site.add(Reshape((batch, filters * steps)), (memory,), "state"))
    weighed = site.add(Mul(), (memory, site.moved(Reshape((1, filters, steps)), times, "times")), "weighed")
    apart = site.add(Reshape((batch, filters // rank, rank * steps)), (weighed,), "apart")
    sums = site.add(ReduceSum((2,), keepdims=False), (apart,), "sums")
    clamp = fused_clamp(site, site.declared())
    if site.has(_BIAS):
        return [site.add(Add(clamp), (sums, site.input(_BIAS)))]
    return [sums if clamp is None else site.add(Clip(*clamp), (sums,))]


def _remembered(site: OperatorSite, state: Value, newest: Value, steps: int) -> Value:
    """The memory [B, F, T] without its oldest numbers and with the newest."""
    batch, filters, _ = newest.type.shape
    if steps == 1:
        return newest
    held = site.add(Reshape((batch, filters, steps)), (state,), "held")
    kept = site.add(Slice((0, 0, 1), (batch, filters, steps - 1), (1, 1, 1)), (held,), "kept")
    return site.add(Concat(2), (kept, newest), "memory")
