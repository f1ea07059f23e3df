# SPDX-License-Identifier: Apache-2.0
"""Functions that jump into each other in a ring, as libgcc's do, taken together as one.

A ring of jumps is a loop, not a recursion: nothing is called. While it turns, the frames of all its members may be on the stack,
so that together they count as one function with the sum of their frames.
"""

from __future__ import annotations

from collections.abc import Mapping

from tools.stack.call_graph import Calls


def rings(graph: Mapping[str, Calls]) -> dict[str, frozenset[str]]:
    """For every function, the functions of its ring, itself among them."""
    reach = {name: _reachable(name, graph) for name in graph}
    return {name: frozenset({name} | {other for other in reach[name] if name in reach[other]}) for name in graph}


def _reachable(root: str, graph: Mapping[str, Calls]) -> frozenset[str]:
    found: set[str] = set()
    pending = [root]
    while pending:
        for target in graph[pending.pop()].jumps:
            if target in graph and target not in found:
                found.add(target)
                pending.append(target)
    return frozenset(found)
