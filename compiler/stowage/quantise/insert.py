# SPDX-License-Identifier: Apache-2.0
"""Puts Quantize and Dequantize where a placement says, so that the folding of them makes integer operators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Graph, Node, Value, digest_of
from stowage.ir.ops.elementwise import Dequantize, Quantize
from stowage.ir.ops.movement import Constant
from stowage.ir.tensor_type import Quant, TensorType
from stowage.passes.editor import GraphEditor
from stowage.passes.fresh_names import FreshNames
from stowage.passes.node_order import ordered
from stowage.quantise.integer_nodes import LAYERS, is_function_of_one_number
from stowage.quantise.placement import Placement
from stowage.quantise.range import Range
from stowage.quantise.weights import integer_weights


def with_quantisation(graph: Graph, placement: Placement, quants: Mapping[str, Quant], interface: DType) -> Graph:
    """The graph with its quantisations written out.

    Args:
        graph: a float graph.
        placement: what is quantised.
        quants: the quantisation of every quantised value by name.
        interface: F32 keeps the types of inputs and outputs; I8 makes those i8 that are quantised.
    """
    return _Insertion(graph, placement, quants, interface).graph()


class _Insertion:
    """Builds the graph anew; `_read` has for each value what floats and what integer nodes read instead."""

    def __init__(self, graph: Graph, placement: Placement, quants: Mapping[str, Quant], interface: DType) -> None:
        self._graph, self._placement, self._quants = graph, placement, quants
        self._values, self._editor = placement.values, GraphEditor(graph)
        made = (value.name for node in graph.nodes for value in node.outputs)
        self._names = FreshNames([*(value.name for value in graph.inputs), *made])
        self._node_names = FreshNames(node.name for node in graph.nodes)
        self._constants = dict(graph.constants)
        self._nodes: list[Node] = []
        self._floats: dict[str, Value] = {}
        self._integers: dict[str, Value] = {}
        self._outputs = {value.name: value for value in graph.outputs}
        self._integer_ports = self._find_integer_ports() if interface is DType.I8 else frozenset[str]()

    def graph(self) -> Graph:
        """The graph with its quantisations."""
        inputs = tuple(self._input(value) for value in self._graph.inputs)
        for node in self._graph.nodes:
            self._node(node)
        outputs = tuple(self._outputs[value.name] for value in self._graph.outputs)
        nodes = ordered(self._nodes, outputs)
        digests = {node.op.digest for node in nodes if isinstance(node.op, Constant)}
        constants = {digest: array for digest, array in self._constants.items() if digest in digests}
        return replace(self._graph, inputs=inputs, outputs=outputs, nodes=nodes, constants=constants)

    def _input(self, value: Value) -> Value:
        if value.name not in self._values.entering:
            return value
        quant = self._quants[value.name]
        if value.name not in self._integer_ports:
            self._integers[value.name] = self._stored(value, quant, f"{value.name}.dequantised")
            return value
        given = Value(value.name, TensorType(value.type.shape, DType.I8, quant))
        real = self._append(f"{value.name}.dequantise", Dequantize(), (given,), f"{value.name}.dequantised")
        self._integers[value.name] = self._floats[value.name] = real
        return given

    def _find_integer_ports(self) -> frozenset[str]:
        """Inputs and outputs that are quantised for the caller too; of a state either both ends are, or none is."""
        read = {value.name for value in self._graph.inputs if self._is_read_as_integers_alone(value)}
        ports = (read & self._values.entering) | (self._outputs.keys() & self._values.made)
        lone = {name for pair in self._graph.states if not ports.issuperset(pair) for name in pair}
        return frozenset(ports - lone)

    def _is_read_as_integers_alone(self, value: Value) -> bool:
        readers = {node.output.name for node in self._editor.users(value)}
        return readers <= self._placement.integers | self._values.stored and not self._editor.is_output(value)

    def _node(self, node: Node) -> None:
        name = node.output.name
        read = self._operands(node)
        if name not in self._values.made:
            self._nodes.append(replace(node, inputs=read))
            if name in self._values.entering:
                self._integers[name] = self._stored(node.output, self._quants[name], f"{name}.dequantised")
            return
        real = Value(self._names.take(f"{name}.real"), node.output.type)
        self._nodes.append(replace(node, inputs=read, outputs=(real,)))
        if name in self._integer_ports:
            self._integer_output(node.output, real)
        else:
            self._stored(real, self._quants[name], name)

    def _integer_output(self, value: Value, real: Value) -> None:
        quant = self._quants[value.name]
        stored = Value(value.name, TensorType(value.type.shape, DType.I8, quant))
        name = self._node_names.take(f"{value.name}.quantise")
        self._nodes.append(Node(name, Quantize(DType.I8, quant), (real,), (stored,)))
        self._outputs[value.name] = stored
        again = self._append(f"{value.name}.dequantise", Dequantize(), (stored,), f"{value.name}.dequantised")
        self._floats[value.name] = self._integers[value.name] = again

    def _operands(self, node: Node) -> tuple[Value, ...]:
        name = node.output.name
        if name not in self._placement.integers:
            table = self._integers if name in self._values.stored else self._floats
            return tuple(table.get(value.name, value) for value in node.inputs)
        if isinstance(node.op, LAYERS):
            data, weights, *bias = node.inputs
            return self._integers.get(data.name, data), self._weights(node, weights), *bias
        number = is_function_of_one_number(self._editor, node)
        return tuple(self._operand(value, number) for value in node.inputs)

    def _operand(self, value: Value, of_one_number: bool) -> Value:
        array = None if of_one_number else self._editor.constant(value)
        if array is None:
            return self._integers.get(value.name, value)
        quant = Range(float(array.min()), float(array.max())).quant
        integers = np.clip(np.rint(array.astype(np.float64) / quant.scale) + quant.zero_point, -128, 127).astype(
            np.int8
        )
        return self._known(value, integers, quant)

    def _weights(self, node: Node, weights: Value) -> Value:
        array = self._editor.constant(weights)
        assert array is not None
        return self._known(weights, *integer_weights(array))

    def _known(self, value: Value, integers: Array, quant: Quant) -> Value:
        digest, type_ = digest_of(integers), TensorType(integers.shape, DType.I8, quant)
        self._constants[digest] = integers
        stored = Value(self._names.take(f"{value.name}.integers"), type_)
        self._nodes.append(Node(self._node_names.take(stored.name), Constant(digest, type_), (), (stored,)))
        return self._append(f"{value.name}.dequantise", Dequantize(), (stored,), f"{value.name}.dequantised")

    def _stored(self, real: Value, quant: Quant, name: str) -> Value:
        """The value after a Quantize and a Dequantize, under the name."""
        stored = self._append(f"{name}.quantise", Quantize(DType.I8, quant), (real,), f"{name}.quantised")
        return self._append(f"{name}.dequantise", Dequantize(), (stored,), name)

    def _append(self, node: str, op: Quantize | Dequantize, inputs: tuple[Value, ...], output: str) -> Value:
        (type_,) = op.result_types(tuple(value.type for value in inputs))
        known = output in self._values.made
        value = Value(output if known else self._names.take(output), type_)
        self._nodes.append(Node(self._node_names.take(node), op, inputs, (value,)))
        return value
