# SPDX-License-Identifier: Apache-2.0
"""Where a float graph gets Quantize and Dequantize, and which values share a quantisation.

A value is quantised where an integer node makes it (*made*), or where one reads what floats made (*entering*). What
only moves elements needs no quantisation of its own, and shares that of what it reads. A concatenation shares it with
an operand that nothing else reads, or whose range is about as wide; other operands are requantised. The two ends of a
state share it, since what one run leaves in it the next one reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from stowage.ir.graph import Graph, Node
from stowage.ir.ops.movement import Concat
from stowage.passes.editor import GraphEditor
from stowage.quantise.integer_nodes import MOVERS, data_operands, is_function_of_one_number
from stowage.quantise.range import Range

_ALIKE = 2.0
"""Ranges whose widths differ by no more than this factor are shared: it costs at most one of eight bits."""


@dataclass(slots=True)
class SharedQuantisation:
    """Values that share one quantisation: a forest of names, each with one that stands for it."""

    parents: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """The name that stands for all that share with `name`."""
        while name in self.parents:
            name = self.parents[name]
        return name

    def join(self, name: str, other: str) -> None:
        """Lets two values, and all that share with them, share one quantisation."""
        first, second = self.of(name), self.of(other)
        if first != second:
            self.parents[second] = first


@dataclass(frozen=True, slots=True)
class QuantisedValues:
    """The values of a graph that have a quantised form.

    Attributes:
        made: those that are stored in it alone: results of integer nodes, of concatenations, and moved outputs.
        entering: float values that integer nodes read in it.
        stored: `made`, the graph inputs among `entering`, and what movers make of these for integer nodes.
    """

    made: frozenset[str]
    entering: frozenset[str]
    stored: frozenset[str]


def quantised_values(graph: Graph, integers: frozenset[str]) -> QuantisedValues:
    """The quantised values for a set of integer nodes."""
    editor = GraphEditor(graph)
    read = _read_by_integers(graph, integers)
    made = {node.output.name for node in graph.nodes if _stores_its_result(editor, node, integers)}
    entering = {value.name for value in graph.inputs if value.name in read}
    stored, only_for_integers = made | entering, set(entering)
    for node in graph.nodes:
        name, names = node.output.name, {value.name for value in data_operands(editor, node)}
        if isinstance(node.op, MOVERS) and names <= stored and (name in read or not names & only_for_integers):
            stored.add(name)
            only_for_integers |= {name} if names & only_for_integers else set()
            made |= {name} if isinstance(node.op, Concat) or editor.is_output(node.output) else set()
        elif name in integers:
            entering |= names - stored - integers
    return QuantisedValues(frozenset(made), frozenset(entering), frozenset(stored))


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the quantisations of a graph are: names of the outputs of integer nodes, quantised values, shared ones."""

    integers: frozenset[str]
    values: QuantisedValues
    shared: SharedQuantisation

    def groups(self) -> dict[str, list[str]]:
        """The values with a Quantize of their own that share a quantisation, by the name that stands for them."""
        found: dict[str, list[str]] = {}
        for name in sorted(self.values.made | self.values.entering):
            found.setdefault(self.shared.of(name), []).append(name)
        return found


def place(graph: Graph, integers: frozenset[str], ranges: Mapping[str, Range]) -> Placement:
    """The placement for a set of integer nodes; `ranges` are those of all quantised values, as measured."""
    values = quantised_values(graph, integers)
    shared, editor = SharedQuantisation(), GraphEditor(graph)
    for node in graph.nodes:
        if isinstance(node.op, MOVERS) and node.output.name in values.stored:
            for name in _sharing(editor, node, ranges):
                shared.join(node.output.name, name)
    for held, kept in graph.states:
        shared.join(held, kept)
    return Placement(integers, values, shared)


def _sharing(editor: GraphEditor, node: Node, ranges: Mapping[str, Range]) -> Iterator[str]:
    for value in node.inputs:
        alone = editor.sole_user(value) is not None
        if not isinstance(node.op, Concat) or alone or _alike(ranges.get(value.name), ranges[node.output.name]):
            yield value.name


def _alike(part: Range | None, whole: Range) -> bool:
    return part is not None and whole.width <= _ALIKE * part.width


def _stores_its_result(editor: GraphEditor, node: Node, integers: frozenset[str]) -> bool:
    """Whether an integer node's result is stored; inside a chain of functions of one number it is not."""
    if node.output.name not in integers:
        return False
    user = editor.sole_user(node.output)
    if user is None or user.output.name not in integers or not is_function_of_one_number(editor, node):
        return True
    return not is_function_of_one_number(editor, user)


def _read_by_integers(graph: Graph, integers: frozenset[str]) -> set[str]:
    """The values that integer nodes read, by themselves or moved, in this run or as a state in the next."""
    read: set[str] = set()
    kept: set[str] = set()
    while True:
        for node in reversed(graph.nodes):
            if node.output.name in integers or (isinstance(node.op, MOVERS) and node.output.name in read):
                read.update(value.name for value in node.inputs)
        found = {output for held, output in graph.states if held in read} - kept
        if not found:
            return read
        kept |= found
        read |= found
