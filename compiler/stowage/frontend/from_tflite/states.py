# SPDX-License-Identifier: Apache-2.0
"""What a model keeps from run to run: variable tensors of its operators, and the variables that it names.

A state that is read before it is written comes in as an input of the graph and leaves as an output; the graph says
that the two belong together. It begins with the real number 0.
"""

from __future__ import annotations

from collections.abc import Iterable

from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.graph import Value
from stowage.ir.tensor_type import TensorType


class States:
    """The states of a graph in the making, by a name that is theirs alone."""

    def __init__(self, builder: GraphBuilder, taken: Iterable[str]) -> None:
        """Args: taken: names of the graph's tensors."""
        self._builder = builder
        self._taken = set(taken)
        self._inputs: dict[str, Value] = {}
        self._current: dict[str, Value] = {}

    def read(self, name: str, type_: TensorType, wished: str) -> Value:
        """What the state holds now; `wished` names the input that it comes in by if nothing has written it yet."""
        if name not in self._current:
            self._inputs[name] = self._builder.input(self._fresh(wished), type_)
            self._current[name] = self._inputs[name]
        return self._current[name]

    def write(self, name: str, value: Value) -> None:
        """Lets the state hold a value from now on."""
        self._current[name] = value

    def pairs(self) -> list[tuple[Value, Value, str]]:
        """Of every state that comes in: its input, what it holds at the end, and a name for the output."""
        return [(held, self._current[name], self._fresh(f"{held.name}_next")) for name, held in self._inputs.items()]

    def _fresh(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name
