# SPDX-License-Identifier: Apache-2.0
"""Activation functions: one operand, element by element."""

from __future__ import annotations

import math

from stowage.frontend.from_onnx.node_site import Importer, Importers, NodeSite, Results
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Max, Min
from stowage.ir.ops.elementwise import Clip, HardSigmoid, HardSwish, LeakyRelu, Relu, Sigmoid, Tanh
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.op import Op


def _unary(op: Op) -> Importer:
    def translate(site: NodeSite) -> Results:
        return (site.add(op, site.real(0)),)

    return translate


def _relu(site: NodeSite) -> Results:
    return (site.add(Relu(), site.number(0)),)


def _leaky_relu(site: NodeSite) -> Results:
    return (site.add(LeakyRelu(site.scalar("alpha", 0.01)), site.real(0)),)


def _hard_sigmoid(site: NodeSite) -> Results:
    return (site.add(HardSigmoid(site.scalar("alpha", 0.2), site.scalar("beta", 0.5)), site.real(0)),)


def _clip(site: NodeSite) -> Results:
    """Bounds are attributes before operator set 11, operands since. Those of integers or of run time are operators."""
    value = site.number(0)
    if site.opset < 11:
        return (_clipped(site, value, site.scalar("min", -math.inf), site.scalar("max", math.inf)),)
    bounds = [index for index in (1, 2) if site.has(index)]
    if any(site.elements(index) is None for index in bounds) or not value.type.dtype.is_float:
        for index in bounds:
            value = site.add(Max() if index == 1 else Min(), value, _scalar(site, index), role=f"bound{index}")
        return (value,)
    return (_clipped(site, value, _bound(site, 1, -math.inf), _bound(site, 2, math.inf)),)


def _clipped(site: NodeSite, value: Value, lowest: float, highest: float) -> Value:
    return value if (lowest, highest) == (-math.inf, math.inf) else site.add(Clip(lowest, highest), value)


def _scalar(site: NodeSite, index: int) -> Value:
    """A bound as a scalar: ONNX Runtime takes a list of one too."""
    bound = site.number(index)
    if bound.type.elements != 1:
        raise site.invalid("a bound must be one number, but is an array")
    return bound if not bound.type.shape else site.moved(Reshape(()), bound, "scalar")


def _bound(site: NodeSite, index: int, absent: float) -> float:
    if not site.has(index):
        return absent
    bound = site.known(index, "a bound")
    if bound.size != 1 or bound != bound:
        raise site.invalid("a bound must be one number, but is an array or nan")
    return float(bound.item())


IMPORTERS: Importers = {
    "Relu": _relu,
    "LeakyRelu": _leaky_relu,
    "HardSigmoid": _hard_sigmoid,
    "Clip": _clip,
    "HardSwish": _unary(HardSwish()),
    "Sigmoid": _unary(Sigmoid()),
    "Tanh": _unary(Tanh()),
}
