# SPDX-License-Identifier: Apache-2.0
"""Pad and CenterCropPad."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stowage.frontend.from_onnx.axes import axes_operand, counted_from_front
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Value
from stowage.ir.ops.combination import Where
from stowage.ir.ops.movement import Pad, Reshape
from stowage.ir.tensor_type import TensorType

_MODES = ("constant", "reflect", "edge", "wrap")


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
    op = Pad(tuple(before), tuple(after), mode)
    if mode == "constant" and site.opset >= 11 and site.has(2) and site.elements(2) is None:
        return (_padded_at_run_time(site, op),)
    return (site.add(replace(op, value=_value(site)) if mode == "constant" else op, site.operand(0)),)


def _padded_at_run_time(site: NodeSite, op: Pad) -> Value:
    """The added elements are chosen by a mask, which is as long as the axes that are padded."""
    value = site.number(2)
    if value.type.elements != 1:
        raise site.invalid("the value of added elements must be one number, but is an array")
    padded = site.add(op, site.number(0), role="padded")
    scalar = site.moved(Reshape(()), value, "scalar") if value.type.shape else value
    mask = site.builder.constant(f"{site.output_name}.given", _given(op, site.type(0).shape))
    return site.add(Where(), mask, padded, scalar)


def _given(op: Pad, shape: tuple[int, ...]) -> Array:
    """Which elements of the output come from the input, in a shape that broadcasts to its own."""
    pads = [max(before, 0) + max(after, 0) for before, after in zip(op.before, op.after, strict=True)]
    (whole,) = op.result_types((TensorType(shape, DType.BOOL),))
    given = np.zeros([extent if added else 1 for extent, added in zip(whole.shape, pads, strict=True)], np.bool_)
    inside = (
        slice(max(before, 0), extent - max(after, 0)) if added else slice(None)
        for before, after, extent, added in zip(op.before, op.after, whole.shape, pads, strict=True)
    )
    given[tuple(inside)] = True
    return given


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


def _center_crop_pad(site: NodeSite) -> Results:
    """Each axis is cut, or padded with zeros, at both ends alike; an odd one goes to the end."""
    shape = site.type(0).shape
    axes = counted_from_front(site, site.ints("axes") or range(len(shape)), len(shape))
    wanted = site.known_ints(1, "the shape")
    if len(wanted) != len(axes) or min(wanted, default=0) < 0:
        raise site.invalid(f"the shape {list(wanted)} does not go with {len(axes)} axes")
    added = {axis: extent - shape[axis] for axis, extent in zip(axes, wanted, strict=True)}
    before = tuple(_towards_zero(added.get(axis, 0)) for axis in range(len(shape)))
    after = tuple(added.get(axis, 0) - front for axis, front in enumerate(before))
    return (site.add(Pad(before, after), site.operand(0)) if any(added.values()) else site.operand(0),)


def _towards_zero(number: int) -> int:
    """Half of it."""
    return number // 2 if number > 0 else -(-number // 2)


IMPORTERS: Importers = {"Pad": _pad, "CenterCropPad": _center_crop_pad}
