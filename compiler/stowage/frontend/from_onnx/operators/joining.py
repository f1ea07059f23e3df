# SPDX-License-Identifier: Apache-2.0
"""Concat and Split."""

from __future__ import annotations

from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Concat, Slice

MOST_JOINED = 16
"""What kernels take at once; more, as loops collect them, are joined in groups first."""


def _concat(site: NodeSite) -> Results:
    count = len(site.proto.input)
    axis = site.axis(site.integer("axis", 0), len(site.type(0).shape))
    operands = _alike(site, count)
    while len(operands) > MOST_JOINED:
        groups = [operands[first : first + MOST_JOINED] for first in range(0, len(operands), MOST_JOINED)]
        operands = [g[0] if len(g) == 1 else site.add(Concat(axis), *g, role="group") for g in groups]
    return (operands[0] if count == 1 else site.add(Concat(axis), *operands),)


def _alike(site: NodeSite, count: int) -> list[Value]:
    """The operands under one quantisation: ONNX joins integers, whatever they stand for."""
    known = [site.tensors.known(name) is not None for name in site.proto.input]
    quants = {site.type(index).quant for index in range(count) if not known[index]}
    common = quants.pop() if len(quants) == 1 else None
    if common is None:
        return [site.number(index) for index in range(count)]
    return [site.quantised_operand(index, common) for index in range(count)]


def _split(site: NodeSite) -> Results:
    shape = site.type(0).shape
    axis = site.axis(site.integer("axis", 0), len(shape))
    lengths = _lengths(site, shape[axis])
    results: list[Value] = []
    begin = 0
    for length in lengths:
        begins = tuple(begin if k == axis else 0 for k in range(len(shape)))
        part = (*shape[:axis], length, *shape[axis + 1 :])
        results.append(site.add(Slice(begins, part, (1,) * len(shape)), site.operand(0), role=f"part{len(results)}"))
        begin += length
    return tuple(results)


def _lengths(site: NodeSite, extent: int) -> tuple[int, ...]:
    """Lengths of the parts: an attribute before operator set 13, then an operand; else equal, the last one shorter."""
    count = len(site.proto.output)
    given = site.ints("split") if site.opset < 13 else None
    if site.opset >= 13 and site.has(1):
        given = site.known_ints(1, "the list of lengths")
    if given is None:
        if site.integer("num_outputs", count) != count:
            raise site.invalid(f"num_outputs is {site.integer('num_outputs', count)}, but the node has {count} outputs")
        each = -(-extent // count)
        given = (each,) * (count - 1) + (extent - each * (count - 1),)
    if len(given) != count or sum(given) != extent or min(given) < 0:
        raise site.invalid(f"the lengths {list(given)} do not split an extent of {extent} into {count} parts")
    return given


IMPORTERS: Importers = {"Concat": _concat, "Split": _split}
