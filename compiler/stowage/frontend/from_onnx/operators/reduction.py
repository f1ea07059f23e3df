# SPDX-License-Identifier: Apache-2.0
"""ReduceMean, Softmax and ArgMax: operators along axes."""

from __future__ import annotations

import math

from stowage.frontend.from_onnx.axes import axes_operand
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.reduction import ArgMax, ReduceMean, Softmax


def _reduce_mean(site: NodeSite) -> Results:
    """Axes are an attribute before operator set 18, an operand since; none means all, or none if so asked."""
    rank = len(site.type(0).shape)
    axes = axes_operand(site, rank, operand_since=18)
    if not axes:
        if site.flag("noop_with_empty_axes"):
            return (site.operand(0),)
        axes = tuple(range(rank))
    return (site.add(ReduceMean(axes, site.flag("keepdims", True)), site.real(0)),)


def _softmax(site: NodeSite) -> Results:
    """Before operator set 13 it normalises over all axes from `axis` on together."""
    value, shape = site.real(0), site.type(0).shape
    axis = site.axis(site.integer("axis", 1 if site.opset < 13 else -1), len(shape))
    if site.opset >= 13 or math.prod(shape[axis + 1 :]) == 1:
        return (site.add(Softmax(axis), value),)
    rows = site.add(Reshape((math.prod(shape[:axis]), math.prod(shape[axis:]))), value, role="rows")
    return (site.add(Reshape(shape), site.add(Softmax(1), rows), role="unflattened"),)


def _arg_max(site: NodeSite) -> Results:
    """The largest integer is also the largest real that one stands for, unless each channel has a scale of its own."""
    axis = site.axis(site.integer("axis", 0), len(site.type(0).shape))
    quant = site.operand(0).type.quant
    value = site.operand(0) if quant is None or quant.axis is None else site.number(0)
    return (site.add(ArgMax(axis, site.flag("keepdims", True), site.flag("select_last_index")), value),)


IMPORTERS: Importers = {"ReduceMean": _reduce_mean, "Softmax": _softmax, "ArgMax": _arg_max}
