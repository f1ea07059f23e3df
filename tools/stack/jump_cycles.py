# SPDX-License-Identifier: Apache-2.0
"""Functions that jump into each other in a ring, as libgcc's do, taken together as one.

A ring of jumps is a loop, not a recursion: nothing is called. While it turns, the frames of all its members may be on
the stack, so that together they count as one function with the sum of their frames.
"""

from __future__ import annotations

from collections.abc import Mapping

from tools.stack.call_graph import Calls


def rings(graph: Mapping[int, Calls]) -> dict[int, frozenset[int]]:
    """For every function, by address, the functions of its ring, itself among them."""
    reach = {address: _reachable(address, graph) for address in graph}
    return {
        address: frozenset({address} | {other for other in reach[address] if address in reach[other]})
        for address in graph
    }


def _reachable(root: int, graph: Mapping[int, Calls]) -> frozenset[int]:
    found: set[int] = set()
    pending = [root]
    while pending:
        for target in graph[pending.pop()].jumps - found:
            found.add(target)
            pending.append(target)
    return frozenset(found)
