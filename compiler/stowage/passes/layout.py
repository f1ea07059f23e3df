# SPDX-License-Identifier: Apache-2.0
"""Cancels the Transposes that the importer puts around NCHW operators, and the model's own that undo one another.

Operators between them work on transposed operands instead, with permuted attributes; constants are transposed at
build time; a Transpose that moves extents of one alone becomes a Reshape; one in front of a flattening and a dense
layer goes into the weights.
"""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.ir.ops.op import Op
from stowage.passes.axis_rules import relaid
from stowage.passes.fresh_names import FreshNames
from stowage.passes.graph_pass import Pass
from stowage.passes.layout_problem import Edge, LayoutProblem
from stowage.passes.layout_search import search
from stowage.passes.node_order import ordered
from stowage.passes.permutation import Permutation, identity, moves_nothing, permuted, permuted_type


def _cancel_transposes(graph: Graph) -> Graph:
    problem = LayoutProblem(graph)
    search(problem)
    return _Relaying(graph, problem).graph()


class _Relaying:
    """Builds the graph anew with the layouts of a solved problem."""

    def __init__(self, graph: Graph, problem: LayoutProblem) -> None:
        self._graph = graph
        self._problem = problem
        self._nodes: list[Node] = []
        made = (value.name for node in graph.nodes for value in node.outputs)
        self._names = FreshNames([*(value.name for value in graph.inputs), *made])
        self._node_names = FreshNames(node.name for node in graph.nodes)
        self._turned: dict[tuple[str, Permutation], Value] = {}
        self._named = self._names_for_outputs()
        self._output_of = self._turned_outputs()
        self._lying = {v.name: v for v in graph.inputs}

    def graph(self) -> Graph:
        """The graph with every node in its working layout and the Transposes that are left."""
        for index, node in enumerate(self._graph.nodes):
            if not isinstance(node.op, Transpose):
                self._relay(index, node)
        outputs = tuple(self._output(edge) for edge in self._problem.output_edges)
        return replace(self._graph, nodes=ordered(self._nodes, outputs), outputs=outputs)

    def _names_for_outputs(self) -> dict[str, str]:
        """New names for roots: one that lies as an output wants it takes the output's name, and gives up its own."""
        names: dict[str, str] = {}
        for edge in self._problem.output_edges:
            made_here = edge.root in self._problem.makers
            if made_here and edge.root not in names and self._is_identity(edge):
                names[edge.root] = self._graph.outputs[edge.operand].name
        for value in self._graph.outputs:
            if value.name in self._problem.makers and value.name not in names:
                names[value.name] = self._names.take(value.name)
        return names

    def _turned_outputs(self) -> dict[tuple[str, Permutation], str]:
        """The first output that a root is after a Transpose, which operands that want the same share."""
        outputs: dict[tuple[str, Permutation], str] = {}
        for edge in self._problem.output_edges:
            if not self._is_identity(edge):
                outputs.setdefault((edge.root, self._problem.turn(edge)), self._graph.outputs[edge.operand].name)
        return outputs

    def _is_identity(self, edge: Edge) -> bool:
        turn = self._problem.turn(edge)
        return turn == identity(len(turn))

    def _relay(self, index: int, node: Node) -> None:
        inputs = tuple(self._operand(edge) for edge in self._problem.edges_of[index])
        layout = self._problem.layouts.get(index)
        op = node.op if layout is None else relaid(node, layout)
        outputs = tuple(self._lie(value) for value in node.outputs)
        self._nodes.append(replace(node, op=op, inputs=inputs, outputs=outputs))

    def _lie(self, root: Value) -> Value:
        type_ = permuted_type(root.type, self._problem.layout_of(root.name))
        self._lying[root.name] = Value(self._named.get(root.name, root.name), type_)
        return self._lying[root.name]

    def _operand(self, edge: Edge) -> Value:
        turn = self._problem.turn(edge)
        if turn == identity(len(turn)):
            return self._lying[edge.root]
        key = (edge.root, turn)
        if key not in self._turned:
            name = self._output_of.get(key) or self._names.take(f"{edge.root}_transposed")
            self._turned[key] = self._turn(self._lying[edge.root], turn, name)
        return self._turned[key]

    def _output(self, edge: Edge) -> Value:
        """The value that an output of the graph is, under the output's name: another output's equal is copied."""
        name = self._graph.outputs[edge.operand].name
        value = self._operand(edge)
        return value if value.name == name else self._turn(value, identity(len(value.type.shape)), name)

    def _turn(self, lying: Value, turn: Permutation, name: str) -> Value:
        type_ = permuted_type(lying.type, turn)
        still = moves_nothing(lying.type.shape, turn)
        op: Op = Reshape(permuted(lying.type.shape, turn)) if still else Transpose(turn)
        value = Value(name, type_)
        self._nodes.append(Node(self._node_names.take(name), op, (lying,), (value,)))
        return value


LAYOUT = Pass("layout", _cancel_transposes)
