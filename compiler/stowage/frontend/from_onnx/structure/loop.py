# SPDX-License-Identifier: Apache-2.0
"""Loop: its body stands in place of the node as often as it runs, which must be known at build time."""

from __future__ import annotations

import numpy as np
from onnx import ValueInfoProto

from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.structure.nested import Body, Structures, Translate, bind_outputs, known
from stowage.frontend.from_onnx.structure.stacking import stacked
from stowage.ir.graph import Array


def _loop(site: NodeSite, translate: Translate) -> None:
    body = Body(site, "body", translate)
    states = list(site.proto.input[2:])
    count = len(body.outputs) - 1 - len(states)
    if len(body.inputs) != 2 + len(states) or count < 0:
        raise site.invalid(f"its body has {len(body.inputs)} inputs and {len(body.outputs)} outputs, which do not suit")
    trips = _single(site, site.known(0, "the number of steps"), "the number of steps") if site.has(0) else None
    going = site.known(1, "the condition") if site.has(1) else np.array(True)
    scanned: list[list[str]] = [[] for _ in range(count)]
    step = 0
    while _single(site, going, "the condition") and (trips is None or step < trips):
        operands = [known(site, "step", np.array(step, np.int64)), known(site, "going", going), *states]
        condition, *results = body.place(operands)
        going = _decided(site, condition)
        states = results[: len(states)]
        for scan, result in zip(scanned, results[len(states) :], strict=True):
            scan.append(result)
        step += 1
    infos = body.outputs[1 + len(states) :]
    stacks = [
        stacked(site, translate, scan, 0) if scan else _nothing(site, info)
        for scan, info in zip(scanned, infos, strict=True)
    ]
    bind_outputs(site, [*states, *stacks])


def _single(site: NodeSite, array: Array, what: str) -> int:
    if array.size != 1 or array.dtype.kind not in "biu":
        raise site.invalid(f"{what} must be one number or truth value, but is {array.dtype}{list(array.shape)}")
    return int(array.item())


def _decided(site: NodeSite, condition: str) -> Array:
    array = site.tensors.known(condition)
    if array is None:
        raise site.unsupported(
            f"whether it goes on ({condition!r}) is computed at run time, but steps must be counted at build time",
            "let it run a fixed number of times",
        )
    return array


def _nothing(site: NodeSite, info: ValueInfoProto) -> str:
    """What is collected in no steps: as many axes as the body says its output has."""
    type = info.type.tensor_type
    extents = [dimension.dim_value for dimension in type.shape.dim]
    if not type.HasField("shape") or not all(dimension.HasField("dim_value") for dimension in type.shape.dim):
        raise site.unsupported(f"it makes no steps, and the shape of {info.name!r} is not given", "remove the loop")
    if min(extents, default=0) < 0:
        raise site.invalid(f"the shape {extents} of {info.name!r} has a negative extent")
    dtype = dtype_of(type.elem_type, site.where).numpy
    return known(site, info.name, np.zeros((0, *extents), dtype))


STRUCTURES: Structures = {"Loop": _loop}
