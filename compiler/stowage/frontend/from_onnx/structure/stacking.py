# SPDX-License-Identifier: Apache-2.0
"""Tensors taken apart and put together along an axis, by nodes that stand in place of the one at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import helper

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.structure.nested import PARTS_OPSET, Translate, known


def part(site: NodeSite, translate: Translate, op_type: str, operands: Sequence[str], **attributes: Any) -> str:
    """One node with one output, which is returned."""
    output = site.reserve(op_type.lower())
    translate(
        helper.make_node(op_type, operands, [output], name=f"{site.name}.{op_type.lower()}", **attributes), PARTS_OPSET
    )
    return output


def taken(site: NodeSite, translate: Translate, tensor: str, axis: int, place: int) -> str:
    """What a tensor has at one place of an axis, without that axis."""
    index = known(site, "index", np.array(place, np.int64))
    return part(site, translate, "Gather", [tensor, index], axis=axis)


def stacked(site: NodeSite, translate: Translate, tensors: Sequence[str], axis: int) -> str:
    """Tensors of one shape, one after the other along a new axis."""
    raised = [part(site, translate, "Unsqueeze", [tensor], axes=[axis]) for tensor in tensors]
    return part(site, translate, "Concat", raised, axis=axis)
