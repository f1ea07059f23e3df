# SPDX-License-Identifier: Apache-2.0
"""Instructions, as far as they can be reckoned from the layers: a measure to compare plans by, no measurement."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.ir.graph import Node
from stowage.quantise.work import macs
from stowage.tiles.estimate import Estimate

_INSTRUCTIONS_PER_MAC = 2.5
_CALL_INSTRUCTIONS = 60
"""To enter and leave a kernel."""
_COPY_INSTRUCTIONS_PER_BYTE = 1


def plain_instructions(work: Sequence[Node]) -> int:
    """Of a graph as it is, whose nodes are given: its multiply-accumulates and its calls."""
    return round(_INSTRUCTIONS_PER_MAC * sum(map(macs, work))) + _CALL_INSTRUCTIONS * len(work)


def extra_instructions(estimate: Estimate) -> int:
    """Of a segment in stripes: its calls and what it copies. No multiplication is done twice."""
    return _CALL_INSTRUCTIONS * estimate.steps + copy_instructions(estimate.copied_bytes)


def copy_instructions(copied_bytes: int) -> int:
    """Of copies of so many bytes."""
    return _COPY_INSTRUCTIONS_PER_BYTE * copied_bytes
