# SPDX-License-Identifier: Apache-2.0
"""A graph without its Transposes: each operand says in which order of axes it is wanted, and the cost is counted.

Every value that is not made by a Transpose is a *root*. A chain of Transposes becomes a label on the edge from the
root to the user. A layout says in which order of axes the elements of a root really lie; a root and a user that
disagree cost the bytes of one Transpose, except where it moves nothing, the root is a constant, or the user takes any
order (`absorbed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.movement import Constant, Transpose
from stowage.passes.absorbed import absorbing_reshapes, turns_last_block_alone
from stowage.passes.axis_rules import follows_layout, has_layout, layout_for_result, result_layout
from stowage.passes.permutation import Permutation, composed, identity, inverse, moves_nothing, permuted


@dataclass(frozen=True, slots=True)
class Edge:
    """A use of a root: by operand `operand` of the node `user` (its index), or by a graph output (`user` is None)."""

    root: str
    label: Permutation
    user: int | None
    operand: int


class LayoutProblem:
    """Roots, edges and working layouts of one graph.

    Attributes:
        nodes: the nodes of the graph.
        layouts: working layout of each node that can choose, by index; `improve` changes them.
        edges_of: edges into each node, by index.
        edges_from: edges out of each root, by name.
        makers: index of the node that makes a root, by name.
        roots: the roots by name, as the graph has them.
    """

    def __init__(self, graph: Graph) -> None:
        self.nodes = graph.nodes
        self.layouts: dict[int, Permutation] = {}
        self.edges_of: dict[int, list[Edge]] = {}
        self.edges_from: dict[str, list[Edge]] = {}
        self.output_edges: list[Edge] = []
        self.makers: dict[str, int] = {}
        self.roots: dict[str, Value] = {value.name: value for value in graph.inputs}
        self._results: dict[tuple[int, Permutation], Permutation | None] = {}
        self._workings: dict[tuple[int, Permutation], Permutation | None] = {}
        self._costs: dict[str, int] = {}
        self._absorbing = absorbing_reshapes(graph)
        self._labels = {value.name: (value.name, identity(len(value.type.shape))) for value in graph.inputs}
        for index, node in enumerate(graph.nodes):
            self._enter(index, node)
        for position, value in enumerate(graph.outputs):
            self.output_edges.append(self._edge(value, None, position))

    def layout_of(self, root: str) -> Permutation:
        """The order of axes in which the elements of a root lie."""
        maker = self.makers.get(root)
        if maker is None or maker not in self.layouts:
            return identity(len(self.roots[root].type.shape))
        layout = self.result_layout(maker, self.layouts[maker])
        assert layout is not None
        return layout

    def result_layout(self, index: int, layout: Permutation) -> Permutation | None:
        """`axis_rules.result_layout` of a node, found once."""
        if (index, layout) not in self._results:
            self._results[index, layout] = result_layout(self.nodes[index], layout)
        return self._results[index, layout]

    def layout_for_result(self, index: int, wanted: Permutation) -> Permutation | None:
        """`axis_rules.layout_for_result` of a node, found once."""
        if (index, wanted) not in self._workings:
            self._workings[index, wanted] = layout_for_result(self.nodes[index], wanted)
        return self._workings[index, wanted]

    def improve(self, layouts: Mapping[int, Permutation]) -> bool:
        """Takes working layouts of some nodes if that lowers the bytes transposed; whether it did."""
        before = {index: self.layouts[index] for index in layouts}
        roots = dict.fromkeys(root for index in layouts for root in self.roots_near(index))
        cost = sum(map(self._cost_now, roots))
        if cost == 0 or layouts == before:
            return False
        self.layouts.update(layouts)
        changed = {root: self.cost_bytes(root) for root in roots}
        if sum(changed.values()) < cost:
            self._costs.update(changed)
            return True
        self.layouts.update(before)
        return False

    def wanted(self, edge: Edge) -> Permutation:
        """The order of axes of the root that the user of an edge wants."""
        node = None if edge.user is None else self.nodes[edge.user]
        if edge.user not in self.layouts or node is None or not has_layout(node, edge.operand):
            return edge.label
        return composed(edge.label, self.layouts[edge.user])

    def turn(self, edge: Edge) -> Permutation:
        """The Transpose that an edge needs after the root as it lies."""
        return composed(inverse(self.layout_of(edge.root)), self.wanted(edge))

    def cost_bytes(self, root: str) -> int:
        """Bytes that Transposes between a root and all its users move."""
        maker = self.makers.get(root)
        if maker is not None and isinstance(self.nodes[maker].op, Constant):
            return 0
        type_ = self.roots[root].type
        shape = permuted(type_.shape, self.layout_of(root))
        turns = {self.turn(edge) for edge in self.edges_from.get(root, ()) if not self._absorbs(edge, shape)}
        orders = {tuple(a for a in turn if shape[a] != 1) for turn in turns if not moves_nothing(shape, turn)}
        return len(orders) * type_.size_bytes

    def roots_near(self, index: int) -> list[str]:
        """The roots whose cost depends on the working layout of a node."""
        return [*(edge.root for edge in self.edges_of[index]), *(v.name for v in self.nodes[index].outputs)]

    def _cost_now(self, root: str) -> int:
        """`cost_bytes` with the layouts as they are, kept true by `improve`."""
        if root not in self._costs:
            self._costs[root] = self.cost_bytes(root)
        return self._costs[root]

    def _absorbs(self, edge: Edge, lying: tuple[int, ...]) -> bool:
        if edge.user is None or edge.user not in self._absorbing or not _is_identity(self.layouts[edge.user]):
            return False
        return turns_last_block_alone(self.nodes[edge.user], lying, self.turn(edge))

    def _enter(self, index: int, node: Node) -> None:
        if isinstance(node.op, Transpose):
            root, label = self._labels[node.inputs[0].name]
            self._labels[node.output.name] = (root, composed(label, node.op.permutation))
            return
        for value in node.outputs:
            self._labels[value.name] = (value.name, identity(len(value.type.shape)))
            self.roots[value.name] = value
            self.makers[value.name] = index
        self.edges_of[index] = [self._edge(value, index, operand) for operand, value in enumerate(node.inputs)]
        if follows_layout(node):
            self.layouts[index] = identity(len(node.inputs[0].type.shape))

    def _edge(self, value: Value, user: int | None, operand: int) -> Edge:
        root, label = self._labels[value.name]
        edge = Edge(root, label, user, operand)
        self.edges_from.setdefault(root, []).append(edge)
        return edge


def _is_identity(layout: Permutation) -> bool:
    return layout == identity(len(layout))
