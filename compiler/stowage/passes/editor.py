# SPDX-License-Identifier: Apache-2.0
"""A graph under rewriting: who makes each value, who uses it, and the edits that keep both true.

Each edit takes time in proportion to the operands and users that it touches, so a pass that makes few edits a node is
linear. Nodes that nothing needs any more go at once, and with them what only they needed.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Graph, Node, Value, digest_of
from stowage.ir.ops.movement import Constant
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import Quant, TensorType
from stowage.passes.fresh_names import FreshNames
from stowage.passes.node_order import ordered


class GraphEditor:
    """The nodes of one graph, open to edits; `finish` closes it again.

    A node is known by the name of its first output.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._nodes: dict[str, Node] = {}
        self._makers: dict[str, str] = {}
        self._users: dict[str, dict[str, None]] = {}
        self._outputs = {value.name: value for value in graph.outputs}
        self._constants = dict(graph.constants)
        made = (value.name for node in graph.nodes for value in node.outputs)
        self._names = FreshNames([*(value.name for value in graph.inputs), *made])
        self._wishes: dict[str, str] = {}
        self.touched: list[str] = []
        for node in graph.nodes:
            self._link(node)

    @property
    def arithmetic(self) -> Arithmetic:
        """Whose integer rounding the graph keeps."""
        return self._graph.arithmetic

    def __iter__(self) -> Iterator[str]:
        """The keys of the nodes as they stand now; edits on the way are allowed."""
        return iter(list(self._nodes))

    def node(self, key: str) -> Node | None:
        """The node whose first output has this name, if it is still there."""
        return self._nodes.get(key)

    def maker(self, value: Value) -> Node | None:
        """The node that makes a value; None for a graph input."""
        key = self._makers.get(value.name)
        return None if key is None else self._nodes[key]

    def users(self, value: Value) -> list[Node]:
        """The nodes that have the value among their inputs, each once."""
        return [self._nodes[key] for key in self._users.get(value.name, ())]

    def is_output(self, value: Value) -> bool:
        """Whether the value leaves the graph."""
        return value.name in self._outputs

    def sole_user(self, value: Value) -> Node | None:
        """The one node that uses the value, if there is just one and the value does not leave the graph."""
        users = self._users.get(value.name, {})
        return self._nodes[next(iter(users))] if len(users) == 1 and not self.is_output(value) else None

    def constant(self, value: Value) -> Array | None:
        """The array of a value that is a constant."""
        node = self.maker(value)
        return self._constants[node.op.digest] if node is not None and isinstance(node.op, Constant) else None

    def add_constant(self, name: str, array: Array, quant: Quant | None = None) -> Value:
        """A new constant; `name` is made unique."""
        array = np.ascontiguousarray(array).reshape(np.shape(array))
        value = Value(self._name(name), TensorType(array.shape, DType.of(array.dtype), quant))
        digest = digest_of(array)
        self._constants[digest] = array
        self._enter(Node(value.name, Constant(digest, value.type), (), (value,)))
        return value

    def put_constant(self, value: Value, array: Array) -> None:
        """Makes a node's only output a constant of the same name and type."""
        array = np.asarray(array, value.type.dtype.numpy)
        digest = digest_of(array)
        self._constants[digest] = array
        self.put(Node(value.name, Constant(digest, value.type), (), (value,)))

    def add(self, name: str, op: Op, inputs: tuple[Value, ...], output: str = "", quant: Quant | None = None) -> Value:
        """A new node and its output, named `output` made unique (else after the node), of the type that the op gives.

        Args:
            name: the node's name, for messages and the generated C.
            op: the operator.
            inputs: its operands.
            output: the name wanted for its output.
            quant: the output's quantisation, where the operator cannot know it.
        """
        (made,) = op.result_types(tuple(value.type for value in inputs))
        value = Value(self._name(output or name), made if quant is None else replace(made, quant=quant))
        self._enter(Node(name, op, inputs, (value,)))
        return value

    def put(self, node: Node) -> None:
        """Puts a node in the place of the one with the same first output; users see the output's new type."""
        before = self._nodes[node.outputs[0].name]
        self._leave(before)
        self._enter(node)
        for old, new in zip(before.outputs, node.outputs, strict=True):
            if old != new:
                self._rewire(old, new)
        self._drop_unused(before.inputs)

    def can_replace(self, old: Value, new: Value) -> bool:
        """Whether `replace` may be called.

        An output of the graph keeps its name, so its replacement must be renamed to it. Inputs, constants and other
        outputs cannot be: they need a copy to become an output.
        """
        return not self.is_output(old) or not (
            new.name not in self._makers or self.is_output(new) or self.constant(new) is not None
        )

    def replace(self, old: Value, new: Value) -> None:
        """Lets all users of `old` use `new`; if `old` leaves the graph, `new` takes its name."""
        self._rewire(old, new)
        maker = self._nodes[self._makers[old.name]]
        if self.is_output(old):
            self._leave(maker)
            self._rename(new, old.name)
            self._drop_unused(maker.inputs)
        else:
            self._drop_unused((old,))

    def finish(self) -> Graph:
        """The graph as edited: what the outputs need, in an order close to the original one; itself if unchanged."""
        needed = ordered(list(self._nodes.values()), tuple(self._outputs.values()))
        nodes = _named_apart(self._with_wished_names(needed))
        digests = {node.op.digest for node in nodes if isinstance(node.op, Constant)}
        if _are_same(nodes, self._graph.nodes) and digests == self._graph.constants.keys():
            return self._graph
        constants = {digest: array for digest, array in self._constants.items() if digest in digests}
        outputs = tuple(self._outputs[value.name] for value in self._graph.outputs)
        return replace(self._graph, nodes=nodes, outputs=outputs, constants=constants)

    def _name(self, wish: str) -> str:
        wish = self._wishes.get(wish, wish)
        name = self._names.take(wish)
        self._wishes[name] = wish
        return name

    def _with_wished_names(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """Gives values that had to be numbered the name that was asked for, where its holder is gone."""
        made = [value.name for node in nodes for value in node.outputs]
        taken = {*made, *(value.name for value in self._graph.inputs)}
        names: dict[str, str] = {}
        for name in made:
            wish = self._wishes.get(name, name)
            if wish not in taken and name not in self._outputs:
                taken.add(wish)
                names[name] = wish
        return tuple(_renamed(node, names) for node in nodes) if names else nodes

    def _enter(self, node: Node) -> None:
        self._link(node)
        self._touch(node)

    def _link(self, node: Node) -> None:
        self._nodes[node.outputs[0].name] = node
        for output in node.outputs:
            self._makers[output.name] = node.outputs[0].name
        for operand in node.inputs:
            self._users.setdefault(operand.name, {})[node.outputs[0].name] = None

    def _leave(self, node: Node) -> None:
        for operand in node.inputs:
            self._users[operand.name].pop(node.outputs[0].name, None)
        self._touch(node)

    def _touch(self, node: Node) -> None:
        self.touched.append(node.outputs[0].name)
        self.touched += [self._makers[operand.name] for operand in node.inputs if operand.name in self._makers]
        for value in (*node.outputs, *node.inputs):
            users = self._users.get(value.name, {})
            self.touched += users if len(users) < 3 else ()

    def _rewire(self, old: Value, new: Value) -> None:
        for user in self.users(old):
            self._leave(user)
            self._enter(replace(user, inputs=tuple(new if v.name == old.name else v for v in user.inputs)))
        if old.name == new.name and self.is_output(old):
            self._outputs[old.name] = new

    def _rename(self, value: Value, name: str) -> None:
        maker = self._nodes.pop(self._makers.pop(value.name))
        self._leave(maker)
        renamed = Value(name, value.type)
        self._enter(replace(maker, outputs=(renamed,)))
        self._outputs[name] = renamed
        self._rewire(value, renamed)

    def _drop_unused(self, values: tuple[Value, ...]) -> None:
        pending = list(values)
        while pending:
            value = pending.pop()
            maker = self.maker(value)
            if maker is None or any(self.is_output(v) or self._users.get(v.name) for v in maker.outputs):
                continue
            self._leave(maker)
            del self._nodes[maker.outputs[0].name]
            for output in maker.outputs:
                del self._makers[output.name]
            pending += maker.inputs


def _named_apart(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes with names of their own: of several with one name, the first keeps it."""
    names = FreshNames(())
    return tuple(_called(node, names.take(node.name)) for node in nodes)


def _are_same(nodes: tuple[Node, ...], others: tuple[Node, ...]) -> bool:
    """Whether these are the same objects, which takes no look into them."""
    return len(nodes) == len(others) and all(map(operator.is_, nodes, others))


def _called(node: Node, name: str) -> Node:
    return node if node.name == name else replace(node, name=name)


def _renamed(node: Node, names: dict[str, str]) -> Node:
    if not any(value.name in names for value in (*node.inputs, *node.outputs)):
        return node
    inputs, outputs = (
        tuple(Value(names.get(value.name, value.name), value.type) for value in values)
        for values in (node.inputs, node.outputs)
    )
    return replace(node, inputs=inputs, outputs=outputs)
