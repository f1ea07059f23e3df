# SPDX-License-Identifier: Apache-2.0
"""Quantised models whose inputs and outputs are integers: the conversions at the ends are cut off."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, NodeProto, ValueInfoProto, helper, numpy_helper

from stowage.ir.graph import Array
from tests.differential.random_model import RandomModel


def with_integer_ends(model: ModelProto, inputs: dict[str, Array]) -> RandomModel:
    """The model from after its first QuantizeLinear to before its last DequantizeLinear, where these are at an end."""
    cut = _Cut(model, inputs)
    for node in model.graph.node:
        if node.op_type == "QuantizeLinear" and node.input[0] in cut.inputs:
            cut.begin_after(node)
        elif node.op_type == "DequantizeLinear" and node.output[0] in cut.outputs:
            cut.end_before(node)
    return cut.finished()


class _Cut:
    """A model that gets shorter at its ends."""

    def __init__(self, model: ModelProto, inputs: dict[str, Array]) -> None:
        self.inputs = dict(inputs)
        self.outputs = {output.name: output for output in model.graph.output}
        self._model = model
        self._constants = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
        self._gone: set[str] = set()

    def begin_after(self, node: NodeProto) -> None:
        """Makes the node's output an input, if only the node has read the input so far."""
        if self._users(node.input[0]) == 1 and node.output[0] not in self.outputs:
            example = self.inputs.pop(node.input[0])
            self.inputs[node.output[0]] = np.full(example.shape, self._zero_point(node))
            self._gone.add(node.output[0])

    def end_before(self, node: NodeProto) -> None:
        """Makes the node's input an output, if the node's output goes nowhere else."""
        taken = {*self.outputs, *self.inputs, *self._constants}
        if self._users(node.output[0]) == 1 and node.input[0] not in taken:
            shape = self.outputs.pop(node.output[0]).type.tensor_type.shape
            dims = [dim.dim_value for dim in shape.dim]
            self.outputs[node.input[0]] = _declared(node.input[0], self._zero_point(node).dtype, dims)
            self._gone.add(node.output[0])

    def finished(self) -> RandomModel:
        """What is left."""
        result = ModelProto()
        result.CopyFrom(self._model)
        graph = result.graph
        for part in (graph.node, graph.input, graph.output):
            del part[:]
        graph.node.extend(node for node in self._model.graph.node if node.output[0] not in self._gone)
        graph.input.extend(_declared(name, array.dtype, array.shape) for name, array in self.inputs.items())
        graph.output.extend(self.outputs.values())
        return RandomModel(result, self.inputs)

    def _users(self, name: str) -> int:
        """How many nodes and outputs of the model use a tensor."""
        return sum(name in node.input for node in self._model.graph.node) + (name in self.outputs)

    def _zero_point(self, node: NodeProto) -> Array:
        return self._constants[node.input[2]]


def _declared(name: str, dtype: np.dtype[np.generic], shape: tuple[int, ...] | list[int]) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)
