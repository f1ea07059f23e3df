# SPDX-License-Identifier: Apache-2.0
"""Grows a graph node by node: what every importer uses, whatever format it reads.

The builder does not outlive its import. It gives fresh names, works out types with the operators' own rules, keeps
constants by content, and at the end drops what no output needs and gives values their final names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Graph, Node, Value, digest_of
from stowage.ir.ops.elementwise import Dequantize
from stowage.ir.ops.movement import Constant, Reshape, Transpose
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import Quant, TensorType


class GraphBuilder:
    """A graph in the making.

    Names come in three kinds, each unique in itself: nodes, values, and the final names that `rename` promises.
    """

    def __init__(self, name: str, reserved: Iterable[str] = ()) -> None:
        """Args: name: of the graph, a C identifier. reserved: value names that no fresh name may take."""
        self._name = name
        self._inputs: list[Value] = []
        self._nodes: list[Node] = []
        self._makers: dict[str, Node] = {}
        self._constants: dict[str, Array] = {}
        self._renamed: dict[str, str] = {}
        self._values = _Names(reserved)
        self._node_names = _Names(())

    def input(self, name: str, type: TensorType) -> Value:
        """Adds a graph input; `name` is taken as it is."""
        value = Value(name, type)
        self._inputs.append(value)
        return value

    def constant(self, name: str, array: Array, quant: Quant | None = None) -> Value:
        """Adds a constant named after `name`."""
        digest = digest_of(array)
        self._constants.setdefault(digest, np.ascontiguousarray(array).reshape(array.shape))
        type = TensorType(tuple(array.shape), DType.of(array.dtype), quant)
        return self._append(name, name, Constant(digest, type), (), type)

    def add(self, op: Op, operands: Sequence[Value], *, node: str, value: str, type: TensorType | None = None) -> Value:
        """Adds a node with one output and returns that.

        Args:
            op: what it does.
            operands: its inputs.
            node: what the node is named after.
            value: what the output is named after.
            type: the output's type where the operator's rule leaves its quantisation open.

        Raises:
            ShapeError: the operands do not suit the operator.
        """
        (inferred,) = op.result_types(tuple(operand.type for operand in operands))
        return self._append(node, value, op, tuple(operands), type or inferred)

    def add_all(self, op: Op, operands: Sequence[Value], *, node: str, values: Sequence[str]) -> tuple[Value, ...]:
        """Adds a node with several outputs, named after `values`, of the types that the operator gives.

        Raises:
            ShapeError: the operands do not suit the operator.
        """
        types = op.result_types(tuple(operand.type for operand in operands))
        made = tuple(Value(self._values.fresh(value), type) for value, type in zip(values, types, strict=True))
        self._enter(node, op, tuple(operands), made)
        return made

    def moved(self, op: Transpose | Reshape, operand: Value, *, node: str, role: str) -> Value:
        """As `add`, but a constant, quantised or not, is moved now: weights reach their operator as plain constants.

        Args:
            op: the move.
            operand: what is moved.
            node: what nodes are named after.
            role: what is put behind the operand's name for the result's.
        """
        value = f"{self._final(operand).name}.{role}"
        maker = self._makers.get(operand.name)
        if maker is not None and isinstance(maker.op, Constant):
            (type,) = op.result_types((operand.type,))
            return self.constant(value, _moved(op, self._constants[maker.op.digest]), type.quant)
        if maker is not None and isinstance(maker.op, Dequantize) and self.is_constant(maker.inputs[0]):
            inner = self.moved(op, maker.inputs[0], node=node, role=role)
            return self.add(maker.op, (inner,), node=node, value=value)
        return self.add(op, (operand,), node=node, value=value)

    def elements(self, value: Value) -> Array | None:
        """The elements of a value that a `Constant` node makes."""
        maker = self._makers.get(value.name)
        return self._constants[maker.op.digest] if maker is not None and isinstance(maker.op, Constant) else None

    def maker(self, value: Value) -> Node | None:
        """The node that makes a value; None of an input."""
        return self._makers.get(value.name)

    def is_constant(self, value: Value) -> bool:
        """Whether a `Constant` node makes the value."""
        return self.elements(value) is not None

    def reserve(self, name: str) -> str:
        """A name like this one that no fresh name takes from now on."""
        return self._values.fresh(name)

    def rename(self, value: Value, name: str) -> None:
        """Promises that the finished graph calls the value `name` (a reserved name). The first promise holds."""
        if value.name != name and value.name in self._makers:
            self._renamed.setdefault(value.name, name)

    def finish(self, outputs: Sequence[tuple[str, Value]], arithmetic: Arithmetic) -> Graph:
        """The graph whose outputs are these values under these names; nodes that no output needs are left out.

        An output that is a graph input, a constant or another output as well gets a copy of its own: a `Reshape` to the
        shape that it has. One that has the very name of a graph input is that input.
        """
        named = self._with_names(outputs)
        nodes = self._needed(named)
        final = {value.name: self._final(value) for node in nodes for value in node.outputs}
        final.update((value.name, value) for value in self._inputs)
        return Graph(
            name=self._name,
            inputs=tuple(self._inputs),
            outputs=tuple(final[value.name] for value in named),
            nodes=tuple(_rewired(node, final) for node in nodes),
            arithmetic=arithmetic,
            constants={digest: self._constants[digest] for digest in _digests(nodes)},
        )

    def _with_names(self, outputs: Sequence[tuple[str, Value]]) -> list[Value]:
        inputs = {value.name for value in self._inputs}
        taken = set(inputs)
        named: list[Value] = []
        for name, value in outputs:
            if value.name == name and name in inputs:
                named.append(value)
                continue
            if value.name in taken or self.is_constant(value):
                if self._renamed.get(value.name) == name:
                    del self._renamed[value.name]
                value = self.add(Reshape(value.type.shape), (value,), node=name, value=name)
            taken.add(value.name)
            if value.name != name:
                self._renamed[value.name] = name
            named.append(value)
        return named

    def _needed(self, outputs: Sequence[Value]) -> list[Node]:
        """Nodes that an output needs, in the order in which they were added."""
        needed = {value.name for value in outputs}
        kept: list[Node] = []
        for node in reversed(self._nodes):
            if needed.intersection(value.name for value in node.outputs):
                needed.update(value.name for value in node.inputs)
                kept.append(node)
        return kept[::-1]

    def _final(self, value: Value) -> Value:
        return Value(self._renamed.get(value.name, value.name), value.type)

    def _append(self, node: str, value: str, op: Op, operands: tuple[Value, ...], type: TensorType) -> Value:
        made = Value(self._values.fresh(value), type)
        self._enter(node, op, operands, (made,))
        return made

    def _enter(self, node: str, op: Op, operands: tuple[Value, ...], made: tuple[Value, ...]) -> None:
        record = Node(self._node_names.fresh(node), op, operands, made)
        self._nodes.append(record)
        self._makers.update((value.name, record) for value in made)


class _Names:
    """Unique names: the wished one, or the wished one with a number."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self._taken = set(reserved)
        self._counters: dict[str, int] = {}

    def fresh(self, wished: str) -> str:
        name = wished
        while name in self._taken:
            self._counters[wished] = self._counters.get(wished, 0) + 1
            name = f"{wished}.{self._counters[wished]}"
        self._taken.add(name)
        return name


def _moved(op: Transpose | Reshape, array: Array) -> Array:
    return array.transpose(op.permutation) if isinstance(op, Transpose) else array.reshape(op.shape)


def _rewired(node: Node, final: dict[str, Value]) -> Node:
    inputs = tuple(final[value.name] for value in node.inputs)
    return Node(node.name, node.op, inputs, tuple(final[value.name] for value in node.outputs))


def _digests(nodes: Iterable[Node]) -> list[str]:
    return [node.op.digest for node in nodes if isinstance(node.op, Constant)]
