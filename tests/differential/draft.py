# SPDX-License-Identifier: Apache-2.0
"""A model that grows node by node, each run by ONNX Runtime at once: shapes and example values are always known."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from stowage.ir.graph import Array
from tests.differential.onnx_runtime import Refused, run_model
from tests.differential.strange_names import NameSource

Saved = tuple[int, dict[str, Array], dict[str, Array], dict[str, Array]]
MOST_ELEMENTS = 2000
LARGEST_MAGNITUDE = 1e4


class Unfit(Exception):
    """The layer that was tried cannot follow what is there; another one is tried."""


@dataclass(slots=True)
class Draft:
    """The model so far.

    Attributes:
        random: where all choices come from.
        opset: version of ONNX's operator set.
        names: names for nodes and tensors.
        nodes: in the order in which they were made.
        constants: initialisers.
        all_constants: these, and what Constant nodes hold.
        inputs: the model's inputs with an example of each.
        values: an example of every tensor that a run computes, inputs included.
    """

    random: random.Random
    opset: int
    names: NameSource
    nodes: list[NodeProto] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)
    all_constants: dict[str, Array] = field(default_factory=dict)
    inputs: dict[str, Array] = field(default_factory=dict)
    values: dict[str, Array] = field(default_factory=dict)

    def reals(self, *shape: int) -> NDArray[np.float32]:
        """Normally distributed float32 numbers; the same for the same choices."""
        return np.random.default_rng(self.random.getrandbits(32)).normal(size=shape).astype(np.float32)

    def chance(self, probability: float) -> bool:
        """True with that probability."""
        return self.random.random() < probability

    def input(self, example: Array) -> str:
        """Another input of the model."""
        name = self.names.tensor()
        self.inputs[name] = self.values[name] = example
        return name

    def constant(self, array: Array) -> str:
        """A constant: mostly an initialiser, sometimes a Constant node, sometimes one that is there and as large."""
        alike = [each for each, other in self.all_constants.items() if _interchangeable(array, other)]
        if alike and self.chance(0.3):
            return self.random.choice(alike)
        name = self.names.tensor()
        if self.chance(0.15):
            value = numpy_helper.from_array(array)
            self.nodes.append(helper.make_node("Constant", [], [name], name=self.names.node(), value=value))
        else:
            self.constants[name] = array
        self.all_constants[name] = array
        return name

    def node(self, op_type: str, inputs: Sequence[str], outputs: int = 1, **attributes: Any) -> list[str]:
        """Adds a node; returns the names of its outputs.

        Raises:
            Unfit: ONNX Runtime refuses it, or its results are not finite, too large or empty.
        """
        results = [self.names.tensor() for _ in range(outputs)]
        node = helper.make_node(op_type, inputs, results, name=self.names.node(), **attributes)
        for name, array in zip(results, self._evaluated(node), strict=True):
            self.values[name] = array
        self.nodes.append(node)
        return results

    def saved(self) -> Saved:
        """What `restore` goes back to."""
        return len(self.nodes), dict(self.values), dict(self.constants), dict(self.all_constants)

    def restore(self, saved: Saved) -> None:
        """Takes back all that was added since."""
        nodes, self.values, self.constants, self.all_constants = saved
        del self.nodes[nodes:]

    def one(self, op_type: str, *inputs: str, **attributes: Any) -> str:
        """As `node`, for the one output."""
        return self.node(op_type, inputs, **attributes)[0]

    def example(self, name: str) -> Array:
        """What a tensor holds, constant or not."""
        return self.values[name] if name in self.values else self.all_constants[name]

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor."""
        return self.example(name).shape

    def _evaluated(self, node: NodeProto) -> list[Array]:
        used = {name for name in node.input if name}
        feeds = {name: self.values[name] for name in used if name in self.values}
        constants = {name: self.all_constants[name] for name in used if name not in feeds}
        try:
            arrays = run_model(assembled([node], feeds, constants, dict.fromkeys(node.output), self.opset), feeds)
        except Refused as refusal:
            raise Unfit from refusal
        results = [arrays[name] for name in node.output]
        if not all(map(_is_usable, results)):
            raise Unfit
        return results

    def finished(self, outputs: Sequence[str]) -> ModelProto:
        """The model with these outputs."""
        examples = {name: self.example(name) for name in outputs}
        return assembled(self.nodes, self.inputs, self.constants, examples, self.opset)


def _interchangeable(a: Array, b: Array) -> bool:
    return a.dtype == b.dtype == np.float32 and a.shape == b.shape and a.ndim > 0


def _is_usable(array: Array) -> bool:
    if not 0 < array.size <= MOST_ELEMENTS:
        return False
    return array.dtype.kind != "f" or bool(np.isfinite(array).all() and np.abs(array).max() <= LARGEST_MAGNITUDE)


def assembled(
    nodes: Sequence[NodeProto],
    inputs: Mapping[str, Array],
    constants: Mapping[str, Array],
    outputs: Mapping[str, Array | None],
    opset: int,
) -> ModelProto:
    """A model of these parts; an output without an example has no declared type."""
    graph = helper.make_graph(
        list(nodes),
        "differential",
        [_declared(name, array) for name, array in inputs.items()],
        [_declared(name, array) for name, array in outputs.items()],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    if opset < 9:
        graph.input.extend(_declared(name, array) for name, array in constants.items())
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=helper.find_min_ir_version_for(imports))


def _declared(name: str, array: Array | None) -> ValueInfoProto:
    if array is None:
        return helper.make_empty_tensor_value_info(name)
    element: TensorProto.DataType = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_value_info(name, element, array.shape)
