# SPDX-License-Identifier: Apache-2.0
"""What stripes cost beside what the graph costs as it is, in instructions, as far as it can be reckoned."""

from __future__ import annotations

from stowage.tiles.estimate import Estimate

_CALL_INSTRUCTIONS = 60
"""To enter and leave a kernel once more."""
_COPY_INSTRUCTIONS_PER_BYTE = 1


def extra_instructions(estimate: Estimate) -> int:
    """Of a segment in stripes: its calls and what it copies. No multiplication is done twice."""
    return _CALL_INSTRUCTIONS * estimate.steps + _COPY_INSTRUCTIONS_PER_BYTE * estimate.copied_bytes
