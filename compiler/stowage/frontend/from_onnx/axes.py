# SPDX-License-Identifier: Apache-2.0
"""Lists of axes, which ONNX moved from attributes to operands over the years."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.frontend.from_onnx.node_site import NodeSite


def axes_operand(site: NodeSite, rank: int, *, operand_since: int, index: int = 1) -> tuple[int, ...] | None:
    """The node's axes, counted from the front, or None where it names none.

    Args:
        site: the node.
        rank: rank of the tensor that they belong to.
        operand_since: operator set since which they are the operand `index`; before they are the attribute `axes`.
        index: that operand.
    """
    if site.opset < operand_since:
        listed = site.ints("axes")
    else:
        listed = site.known_ints(index, "the list of axes") if site.has(index) else None
    return None if listed is None else counted_from_front(site, listed, rank)


def counted_from_front(site: NodeSite, listed: Sequence[int], rank: int) -> tuple[int, ...]:
    """Axes of a tensor of that rank, each at most once."""
    axes = tuple(site.axis(axis, rank) for axis in listed)
    if len(set(axes)) < len(axes):
        raise site.invalid(f"the axes {list(listed)} name one axis twice")
    return axes
