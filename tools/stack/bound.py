# SPDX-License-Identifier: Apache-2.0
"""The most stack that a call of a function can take: the deepest way through the call graph, frames added up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tools.stack.call_graph import call_graph
from tools.stack.frame import frame_bytes
from tools.stack.jump_cycles import rings
from tools.stack.listing import Function


class UnboundedStack(Exception):
    """Recursion, or a call whose target is not known; the message names the functions."""


@dataclass(frozen=True, slots=True)
class Depth:
    """The deepest way down from a function.

    Attributes:
        bytes_: stack that it takes.
        path: (function, bytes of its own frame) from the root to the deepest leaf.
    """

    bytes_: int
    path: tuple[tuple[str, int], ...]


class StackDepths:
    """The depths of the functions of a listing, each computed once."""

    def __init__(self, listed: Iterable[Function]) -> None:
        functions = tuple(listed)
        self._graph = call_graph(functions)
        self._rings = rings(self._graph)
        self._functions: Mapping[str, Function] = {function.name: function for function in functions}
        self._known: dict[str, Depth] = {}

    def of(self, root: str) -> Depth:
        """The deepest way down from `root`.

        Raises:
            UnboundedStack: a function below calls itself in the end, or calls through a pointer.
            UnboundedFrame: a function below has a frame of variable size.
            KeyError: there is no such function.
        """
        for name in self._bottom_up(self._lead(root)):
            if name not in self._known:
                self._known[name] = self._depth(name)
        return self._known[self._lead(root)]

    def _lead(self, name: str) -> str:
        """The one member that stands for a function's ring."""
        return min(self._rings[name])

    def _depth(self, lead: str) -> Depth:
        for name in self._rings[lead]:
            if places := ", ".join(f"{address:#x}" for address in self._graph[name].indirect):
                raise UnboundedStack(f"{name} calls through a pointer at {places}, so that its stack cannot be bounded")
        own = sum(frame_bytes(self._functions[name]) for name in self._rings[lead])
        below = (self._known[callee] for callee in self._below(lead))
        deepest = max(below, key=lambda depth: depth.bytes_, default=Depth(0, ()))
        return Depth(own + deepest.bytes_, ((lead, own), *deepest.path))

    def _below(self, lead: str) -> Iterator[str]:
        """The functions that a ring goes on to; labels that are no function are data."""
        for name in sorted(self._rings[lead]):
            calls = self._graph[name]
            for callee in sorted((calls.calls | (calls.jumps - self._rings[lead])) & self._graph.keys()):
                yield self._lead(callee)

    def _bottom_up(self, root: str) -> list[str]:
        """Functions below `root`, callees first."""
        order: list[str] = []
        finished: dict[str, bool] = {}
        pending = [(root, False)]
        while pending:
            name, returning = pending.pop()
            if returning:
                finished[name] = True
                order.append(name)
            elif name not in finished:
                finished[name] = False
                pending.append((name, True))
                pending.extend((callee, False) for callee in self._unfinished(name, finished))
        return order

    def _unfinished(self, name: str, finished: Mapping[str, bool]) -> list[str]:
        below = list(self._below(name))
        for callee in below:
            if finished.get(callee) is False:
                raise UnboundedStack(f"{name} reaches {callee}, which is already running: recursion has no bound")
        return [callee for callee in below if callee not in finished]
