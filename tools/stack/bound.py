# SPDX-License-Identifier: Apache-2.0
"""The most stack that a call of a function can take: the deepest way through the call graph, frames added up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tools.stack.call_graph import call_graph
from tools.stack.frame import frame_bytes
from tools.stack.jump_cycles import rings
from tools.stack.listing import Function
from tools.stack.unbounded import UnboundedStack


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
    """The depths of the functions of a listing, each computed once.

    Args:
        listed: the functions.
        restarts: names of functions that start again at the top of the stack; to go there takes nothing.
    """

    def __init__(self, listed: Iterable[Function], restarts: Collection[str] = ()) -> None:
        self._functions: Mapping[int, Function] = {function.address: function for function in listed}
        self._graph = call_graph(self._functions.values())
        self._rings = rings(self._graph)
        restarting = [address for address, function in self._functions.items() if function.name in restarts]
        self._known: dict[int, Depth] = {address: Depth(0, ()) for address in restarting}

    def of(self, root: str) -> Depth:
        """The deepest way down from `root`, the deepest one of that name.

        Raises:
            UnboundedStack: there is no such function, or a function below calls itself in the end, goes where a pointer
            says, or
                has a frame of variable size.
        """
        named = [address for address, function in self._functions.items() if function.name == root]
        if not named:
            raise UnboundedStack(f"the image has no function {root}, from which its stack could be followed")
        return max((self._of(address) for address in named), key=lambda depth: depth.bytes_)

    def _of(self, address: int) -> Depth:
        for lead in self._bottom_up(self._lead(address)):
            if lead not in self._known:
                self._known[lead] = self._depth(lead)
        return self._known[self._lead(address)]

    def _lead(self, address: int) -> int:
        """The one member that stands for a function's ring."""
        return min(self._rings[address])

    def _depth(self, lead: int) -> Depth:
        members = [self._functions[address] for address in sorted(self._rings[lead])]
        for member in members:
            if places := ", ".join(f"{address:#x}" for address in self._graph[member.address].unknown):
                raise UnboundedStack(
                    f"{member.name} goes where a pointer says at {places}, so that its stack has no bound"
                )
        own = sum(frame_bytes(member) for member in members)
        below = (self._known[callee] for callee in self._below(lead))
        deepest = max(below, key=lambda depth: depth.bytes_, default=Depth(0, ()))
        return Depth(own + deepest.bytes_, ((members[0].name, own), *deepest.path))

    def _below(self, lead: int) -> Iterator[int]:
        """The rings that a ring goes on to, by their leads; to call into itself is to go on to itself."""
        for address in sorted(self._rings[lead]):
            calls = self._graph[address]
            yield from (self._lead(callee) for callee in sorted(calls.calls | (calls.jumps - self._rings[lead])))

    def _bottom_up(self, root: int) -> list[int]:
        """Rings below `root` that are not known yet, callees first."""
        order: list[int] = []
        finished: dict[int, bool] = {}
        pending = [(root, False)]
        while pending:
            lead, returning = pending.pop()
            if returning:
                finished[lead] = True
                order.append(lead)
            elif lead not in finished and lead not in self._known:
                finished[lead] = False
                pending.append((lead, True))
                pending.extend((callee, False) for callee in self._unfinished(lead, finished))
        return order

    def _unfinished(self, lead: int, finished: Mapping[int, bool]) -> list[int]:
        below = list(self._below(lead))
        for callee in below:
            if finished.get(callee) is False:
                caller, called = self._functions[lead].name, self._functions[callee].name
                raise UnboundedStack(f"{caller} reaches {called}, which is already running: recursion has no bound")
        return [callee for callee in below if callee not in finished]
