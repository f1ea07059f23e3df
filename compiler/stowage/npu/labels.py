# SPDX-License-Identifier: Apache-2.0
"""A number for every byte of some banks or windows: who wrote it, or what it is of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stowage.npu.decode import Access, BadStream


class Labels:
    """A label for each byte of memories of some sizes, 0 at first."""

    def __init__(self, sizes_bytes: Sequence[int]) -> None:
        self.bytes: list[NDArray[np.int64]] = [np.zeros(size, np.int64) for size in sizes_bytes]

    def of(self, access: Access) -> NDArray[np.int64]:
        """Those of an access, as a view [line, byte].

        Raises:
            BadStream: the access is beyond its memory, or its lines overlap.
        """
        if access.bank >= len(self.bytes) or access.end_bytes > self.bytes[access.bank].size:
            raise BadStream(f"{access.role} of bank {access.bank} lies beyond it")
        if access.lines > 1 and access.stride_bytes < access.line_bytes:
            raise BadStream(f"lines of bank {access.bank} overlap")
        span = self.bytes[access.bank][access.offset_bytes : access.end_bytes]
        strides = max(access.stride_bytes, 1) * span.itemsize, span.itemsize
        return np.lib.stride_tricks.as_strided(span, (access.lines, access.line_bytes), strides)
