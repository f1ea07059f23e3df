# SPDX-License-Identifier: Apache-2.0
"""The same bytes at another place: copy.h."""

from __future__ import annotations

from stowage.ir.graph import Node
from stowage.target.kernels.call_parts import pointers, require_elements
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, Overlap, Site


def lower_reshape(node: Node, site: Site) -> KernelCall:
    """The call for a Reshape that cannot be a view, and for BitCast."""
    return copy_call(node)


def copy_call(node: Node) -> KernelCall:
    """A copy of the node's first input to its output, which has as many bytes."""
    require_elements(node)
    return KernelCall(
        header="stowage/kernels/copy.h",
        function="stw_copy_bytes",
        parameters=(("bytes", node.output.type.size_bytes), FORWARD),
        arguments=pointers(("uint8_t",), "uint8_t"),
        overlaps=tuple(Overlap(0, 0, direction) for direction in Direction),
    )
