# SPDX-License-Identifier: Apache-2.0
"""Concat along an axis: concat.h."""

from __future__ import annotations

import math

from stowage.ir.graph import Node
from stowage.ir.ops.movement import Concat
from stowage.target.kernels.call_parts import require_elements
from stowage.target.kernels.copy import copy_call
from stowage.target.kernels.kernel import FORWARD, Argument, Direction, KernelCall, NoKernel, Overlap, Place, Site

_MOST_OPERANDS = 16


def lower_concat(node: Node, site: Site) -> KernelCall:
    """The call for Concat; operands without elements are left out."""
    require_elements(node)
    op = node.op
    assert isinstance(op, Concat)
    full = [index for index, value in enumerate(node.inputs) if value.type.elements]
    if len(full) > _MOST_OPERANDS:
        raise NoKernel(f"{len(full)} operands, and at most {_MOST_OPERANDS} can be concatenated at once")
    if len(node.inputs) == 1:
        return copy_call(node)
    if len(full) == 1:
        raise NoKernel("all operands but one are empty")
    rows = math.prod(node.output.type.shape[: op.axis])
    runs = tuple(node.inputs[index].type.size_bytes // rows for index in full)
    return KernelCall(
        header="stowage/kernels/concat.h",
        function=f"stw_concat_{len(full)}",
        parameters=(("rows", rows), ("run_bytes", runs), FORWARD),
        arguments=(
            *(Argument(Place.INPUT, index, "uint8_t") for index in full),
            Argument(Place.OUTPUT, 0, "uint8_t"),
        ),
        overlaps=tuple(
            Overlap(index, (rows - 1) * (sum(runs) - runs[place]) + ahead, direction)
            for place, index in enumerate(full)
            for direction, ahead in zip(Direction, (sum(runs[:place]), sum(runs[place + 1 :])), strict=True)
        ),
    )
