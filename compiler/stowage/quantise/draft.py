# SPDX-License-Identifier: Apache-2.0
"""One way to quantise a graph: the float graph that it starts from, the integer nodes, the ranges of all values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph
from stowage.ir.ops.elementwise import HardSigmoid, Sigmoid, Tanh
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import Softmax
from stowage.ir.tensor_type import Quant
from stowage.quantise.insert import with_quantisation
from stowage.quantise.observe import Observation
from stowage.quantise.placement import Placement, place
from stowage.quantise.range import PROBABILITIES, SIGNED_UNIT, Range
from stowage.quantise.ranges import RANGES

_NATURAL: Mapping[type[Op], Range] = {
    Softmax: PROBABILITIES,
    Sigmoid: PROBABILITIES,
    HardSigmoid: PROBABILITIES,
    Tanh: SIGNED_UNIT,
}
_MUCH_WIDER = 2.0
"""A natural range that is wider than what was seen by more than this factor would waste a bit."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One way to quantise.

    Attributes:
        graph: float, with the weights and biases that are quantised.
        integers: names of the outputs of the nodes that compute on integers.
        ranges: by value the range that its integers cover, if it is quantised.
    """

    graph: Graph
    integers: frozenset[str]
    ranges: Mapping[str, Range]

    @property
    def placement(self) -> Placement:
        """Where quantisations go."""
        return place(self.graph, self.integers, self.ranges)

    def written_out(self, interface: DType = DType.F32) -> Graph:
        """The graph with Quantize and Dequantize; inputs and outputs are float, or i8 where they are quantised."""
        placement = self.placement
        return with_quantisation(self.graph, placement, self._quants(placement), interface)

    def _quants(self, placement: Placement) -> dict[str, Quant]:
        found: dict[str, Quant] = {}
        for names in placement.groups().values():
            range_ = self.ranges[names[0]]
            for name in names[1:]:
                range_ = range_.with_(self.ranges[name])
            found |= dict.fromkeys(names, range_.quant)
        return found


def ranges_by(method: str, graph: Graph, seen: Mapping[str, Observation]) -> dict[str, Range]:
    """The range of every value as a method of `RANGES` chooses it, or the one that its operator is known to have."""
    chosen = {name: RANGES[method](observation).widened for name, observation in seen.items()}
    for node in graph.nodes:
        natural, name = _NATURAL.get(type(node.op)), node.output.name
        if natural is not None and name in chosen and natural.width <= _MUCH_WIDER * seen[name].range.width:
            chosen[name] = natural
    return chosen
