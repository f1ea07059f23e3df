# SPDX-License-Identifier: Apache-2.0
"""Unsigned 8-bit tensors that stand for reals become signed: integer and zero point both less 128 are the same real.

So one set of kernels serves both. What enters or leaves the graph keeps its type: there a table shifts it. Operators
that see the bare integers (a Cast) get them back.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Graph, Node, Value, digest_of
from stowage.ir.ops.elementwise import Cast, Quantize, Table
from stowage.ir.ops.movement import Constant
from stowage.ir.tensor_type import Quant, TensorType
from stowage.passes.fresh_names import FreshNames
from stowage.passes.graph_pass import Pass
from stowage.passes.node_order import ordered

_SHIFT = 128


def _make_signed(graph: Graph) -> Graph:
    return graph if not any(_is_unsigned(v.type) for v in _made(graph)) else _Signing(graph).graph()


def _made(graph: Graph) -> list[Value]:
    return [*graph.inputs, *(value for node in graph.nodes for value in node.outputs)]


def _is_unsigned(type_: TensorType) -> bool:
    return type_.dtype is DType.U8 and type_.quant is not None


def _signed_quant(quant: Quant) -> Quant:
    return replace(quant, zero_points=tuple(point - _SHIFT for point in quant.zero_points))


def _signed_type(type_: TensorType) -> TensorType:
    assert type_.quant is not None
    return TensorType(type_.shape, DType.I8, _signed_quant(type_.quant))


def _signed_array(array: Array) -> Array:
    return (array.astype(np.int16) - _SHIFT).astype(np.int8)


class _Signing:
    """Builds the graph anew: `_signed` has the signed twins of unsigned values, `_bare` the values left as they are."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._names = FreshNames(value.name for value in _made(graph))
        self._node_names = FreshNames(node.name for node in graph.nodes)
        self._constants = dict(graph.constants)
        self._nodes: list[Node] = []
        self._signed: dict[str, Value] = {}
        self._bare: dict[str, Value] = {}
        self._digests = {v.name: n.op.digest for n in graph.nodes if isinstance(n.op, Constant) for v in n.outputs}

    def graph(self) -> Graph:
        for value in self._graph.inputs:
            self._bare[value.name] = value
        for node in self._graph.nodes:
            self._convert(node)
        outputs = tuple(self._leaving(value) for value in self._graph.outputs)
        nodes = ordered(self._nodes, outputs)
        digests = {node.op.digest for node in nodes if isinstance(node.op, Constant)}
        constants = {digest: array for digest, array in self._constants.items() if digest in digests}
        return replace(self._graph, nodes=nodes, outputs=outputs, constants=constants)

    def _convert(self, node: Node) -> None:
        if isinstance(node.op, Cast):
            self._nodes.append(replace(node, inputs=tuple(self._as_bare(value) for value in node.inputs)))
            self._bare.update((value.name, value) for value in node.outputs)
            return
        inputs = tuple(self._operand(node, value) for value in node.inputs)
        outputs = tuple(self._result(node, value) for value in node.outputs)
        if outputs != node.outputs:
            node = self._with_signed_result(node, inputs)
            inputs = node.inputs
        self._nodes.append(replace(node, inputs=inputs, outputs=outputs))

    def _with_signed_result(self, node: Node, inputs: tuple[Value, ...]) -> Node:
        op = node.op
        if isinstance(op, Quantize):
            op = Quantize(DType.I8, _signed_quant(op.quant))
        elif isinstance(op, Constant):
            op = Constant(self._store(_signed_array(self._constants[op.digest])), _signed_type(op.type))
        elif isinstance(op, Table):
            table = self._constant(f"{node.name}.table", _signed_array(self._constants[self._digests[inputs[1].name]]))
            op, inputs = Table(None if op.quant is None else _signed_quant(op.quant)), (inputs[0], table)
        return replace(node, op=op, inputs=inputs)

    def _operand(self, node: Node, value: Value) -> Value:
        """A look-up takes either: entry k stands for the k-th smallest integer of both."""
        return (
            self._bare[value.name]
            if isinstance(node.op, Table) and value.name in self._bare
            else self._as_signed(value)
        )

    def _result(self, node: Node, value: Value) -> Value:
        if not _is_unsigned(value.type) or (isinstance(node.op, Table) and value in self._graph.outputs):
            self._bare[value.name] = value
            return value
        name = self._names.take(f"{value.name}_signed") if value in self._graph.outputs else value.name
        self._signed[value.name] = Value(name, _signed_type(value.type))
        return self._signed[value.name]

    def _as_signed(self, value: Value) -> Value:
        if not _is_unsigned(value.type):
            return value
        if value.name not in self._signed:
            name = self._names.take(f"{value.name}_signed")
            self._signed[value.name] = self._shifted(self._bare[value.name], Value(name, _signed_type(value.type)))
        return self._signed[value.name]

    def _as_bare(self, value: Value) -> Value:
        if value.name not in self._bare:
            result = Value(self._names.take(f"{value.name}_unsigned"), value.type)
            self._bare[value.name] = self._shifted(self._signed[value.name], result)
        return self._bare[value.name]

    def _leaving(self, value: Value) -> Value:
        if value.name in self._bare and self._bare[value.name].name == value.name:
            return value
        return self._shifted(self._signed[value.name], value)

    def _shifted(self, operand: Value, result: Value) -> Value:
        """A look-up that changes signedness alone."""
        limits = np.iinfo(result.type.dtype.numpy.name)
        entries = np.arange(limits.min, limits.max + 1).astype(result.type.dtype.numpy)
        table = self._constant(f"{result.name}.shift_table", entries)
        name = self._node_names.take(f"{result.name}.shift")
        self._nodes.append(Node(name, Table(result.type.quant), (operand, table), (result,)))
        return result

    def _constant(self, name: str, array: Array) -> Value:
        value = Value(self._names.take(name), TensorType(array.shape, DType.of(array.dtype)))
        name = self._node_names.take(value.name)
        self._nodes.append(Node(name, Constant(self._store(array), value.type), (), (value,)))
        return value

    def _store(self, array: Array) -> str:
        digest = digest_of(array)
        self._constants[digest] = array
        return digest


SIGNED_QUANTISATION = Pass("signed_quantisation", _make_signed)
