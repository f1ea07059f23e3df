# SPDX-License-Identifier: Apache-2.0
"""Backward through a graph: the channels that have to stay.

What leaves or enters the model stays whole, and so does what goes through operators that are no matter of channels.
From there on a channel asks for the ones that it is made of. Where channels are kept apart, that holds the other way
round too: an operator has as many channels out as in. One channel of every tensor that has any stays in any case.

A channel is asked for once, and a node is looked at again only when one of its tensors has been asked for more.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping

import numpy as np

from stowage.ir.graph import Graph, Node, Value
from stowage.passes.channel_links import Flags, Indices, Link, Mixing, Parallel, channels_of
from stowage.passes.channel_mixing import MixingLayer


def demanded_channels(graph: Graph, links: Mapping[str, Link], layers: Mapping[str, MixingLayer]) -> dict[str, Flags]:
    """For every tensor that is no constant, which channels have to stay, by name.

    Args:
        graph: the graph.
        links: of its nodes, by the name of their first output; constants have none.
        layers: those that mix channels, likewise.
    """
    demand = _Demand(graph, links, layers)
    demand.ask_for_whole([*graph.inputs, *graph.outputs])
    for node in graph.nodes:
        demand.ask_for_what_goes_with_all(node)
    demand.spread()
    for name in reversed(demand.kept):
        if demand.kept[name].size and not demand.kept[name].any():
            demand.ask(name, np.zeros(1, np.intp))
            demand.spread()
    return demand.kept


class _Demand:
    """`kept` grows until every node's tensors agree; `_pending` has the nodes to look at."""

    def __init__(self, graph: Graph, links: Mapping[str, Link], layers: Mapping[str, MixingLayer]) -> None:
        self._links = links
        self._layers = layers
        self._touching: dict[str, list[Node]] = defaultdict(list)
        self._pending: deque[Node] = deque()
        made = [value for node in graph.nodes if node.inputs for value in node.outputs]
        self.kept = {value.name: np.zeros(channels_of(value.type), np.bool_) for value in (*graph.inputs, *made)}
        for node in graph.nodes:
            for value in (*node.inputs, *node.outputs):
                self._touching[value.name].append(node)

    def ask(self, name: str, channels: Indices) -> None:
        """Keeps channels of a tensor; those of a constant go by what it is used for."""
        if name not in self.kept:
            return
        new = channels[~self.kept[name][channels]]
        if new.size:
            self.kept[name][new] = True
            self._pending.extend(self._touching[name])

    def ask_for_whole(self, values: list[Value]) -> None:
        """Keeps all channels of tensors."""
        for value in values:
            self.ask(value.name, np.arange(channels_of(value.type)))

    def ask_for_what_goes_with_all(self, node: Node) -> None:
        """Keeps the operands of which a node needs every channel, whatever is left of its output."""
        link = self._links[node.outputs[0].name]
        if link is None:
            self.ask_for_whole([*node.inputs, *node.outputs])
        if isinstance(link, Parallel):
            self.ask_for_whole([value for value, each in zip(node.inputs, link.sources, strict=True) if each is None])

    def spread(self) -> None:
        """Looks at nodes until none asks for more."""
        while self._pending:
            node = self._pending.popleft()
            link, output = self._links[node.outputs[0].name], node.outputs[0].name
            if isinstance(link, Mixing):
                needed = self._layers[output].needs[self.kept[output]].any(axis=0)
                self.ask(node.inputs[0].name, np.flatnonzero(needed))
            if isinstance(link, Parallel):
                self._agree(node, link)

    def _agree(self, node: Node, link: Parallel) -> None:
        output = node.output.name
        pairs = [
            (value.name, np.flatnonzero(each >= 0), each[each >= 0])
            for value, each in zip(node.inputs, link.sources, strict=True)
            if each is not None and value.name in self.kept
        ]
        for name, made, of in pairs:
            self.ask(output, made[self.kept[name][of]])
        for name, made, of in pairs:
            self.ask(name, np.unique(of[self.kept[output][made]]))
