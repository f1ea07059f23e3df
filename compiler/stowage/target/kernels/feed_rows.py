# SPDX-License-Identifier: Apache-2.0
"""Rows that the caller feeds: feed_rows.h."""

from __future__ import annotations

from stowage.ir.graph import Node
from stowage.ir.ops.fed_rows import FeedRows
from stowage.target.kernels.call_parts import CTYPES
from stowage.target.kernels.kernel import Argument, KernelCall, NoKernel, Place, Site

FEED_HEADER = "stowage/kernels/feed_rows.h"


def lower_feed_rows(node: Node, site: Site) -> KernelCall:
    """The call for FeedRows."""
    assert isinstance(node.op, FeedRows)
    dtype = node.output.type.dtype
    if dtype not in CTYPES:
        raise NoKernel(f"no rows of {dtype.value} are fed")
    return KernelCall(
        header=FEED_HEADER,
        function="stw_feed_rows",
        parameters=(("first_row", node.op.first), ("rows", node.op.rows)),
        arguments=(Argument(Place.OUTPUT, 0, CTYPES[dtype]),),
    )
