# SPDX-License-Identifier: Apache-2.0
"""Pad."""

from __future__ import annotations

from stowage.frontend.from_onnx.axes import axes_operand
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.ops.movement import Pad

_MODES = ("constant", "reflect", "edge")


def _pad(site: NodeSite) -> Results:
    """Pads and value are attributes before operator set 11, operands since."""
    mode = site.text("mode", "constant", _MODES)
    rank = len(site.type(0).shape)
    pads = (site.ints("pads") or ()) if site.opset < 11 else site.known_ints(1, "the list of pads")
    axes = axes_operand(site, rank, operand_since=18, index=3) if site.opset >= 18 else None
    axes = tuple(range(rank)) if axes is None else axes
    if len(pads) != 2 * len(axes):
        raise site.invalid(f"there are {len(pads)} pads for {len(axes)} axes, but must be two for each")
    before, after = [0] * rank, [0] * rank
    for index, axis in enumerate(axes):
        before[axis], after[axis] = pads[index], pads[index + len(axes)]
    if not any(pads):
        return (site.operand(0),)
    value = _value(site) if mode == "constant" else 0.0
    return (site.add(Pad(tuple(before), tuple(after), mode, value), site.operand(0)),)


def _value(site: NodeSite) -> float:
    """The real number that added elements stand for."""
    element = site.scalar("value", 0.0) if site.opset < 11 else _element(site)
    quant = site.operand(0).type.quant
    if quant is None:
        return element
    if quant.axis is not None:
        raise site.unsupported("the input is quantised per channel", "pad before quantising")
    return (element - quant.zero_point) * quant.scale


def _element(site: NodeSite) -> float:
    if not site.has(2):
        return 0.0
    constant = site.known(2, "the value of added elements")
    if constant.size != 1 or constant != constant:
        raise site.invalid("the value of added elements must be one number, but is an array or nan")
    return float(constant.item())


IMPORTERS: Importers = {"Pad": _pad}
