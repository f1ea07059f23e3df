# SPDX-License-Identifier: Apache-2.0
"""Small graphs for the passes' tests: written with real shapes, run by the reference before a pass and after it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Graph, Value
from stowage.ir.ops.elementwise import Dequantize, Quantize
from stowage.ir.ops.movement import Transpose
from stowage.ir.ops.op import Op
from stowage.ir.reference import run
from stowage.ir.tensor_type import Quant, TensorType
from stowage.ir.verify import verify
from stowage.passes.graph_pass import Pass, run_passes

TO_NHWC, TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)


class TrialGraph:
    """Grows a graph and gives it random constants."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self._builder = GraphBuilder("trial")
        self._count = 0

    def input(self, *shape: int, dtype: DType = DType.F32, quant: Quant | None = None) -> Value:
        """A graph input."""
        self._count += 1
        return self._builder.input(f"input_{self._count}", TensorType(shape, dtype, quant))

    def constant(self, array: Array, quant: Quant | None = None) -> Value:
        """A constant."""
        return self._builder.constant("constant", array, quant)

    def reals(self, *shape: int) -> Value:
        """A constant of normally distributed float32 numbers."""
        return self.constant(self.random.normal(size=shape).astype(np.float32))

    def add(self, op: Op, *operands: Value, name: str = "", quant: Quant | None = None) -> Value:
        """A node, named after its operator if not said otherwise, and its output, with the quantisation if given."""
        type_ = None
        if quant is not None:
            (type_,) = op.result_types(tuple(value.type for value in operands))
            type_ = TensorType(type_.shape, type_.dtype, quant)
        name = name or op.mnemonic
        return self._builder.add(op, operands, node=name, value=f"{name}_out", type=type_)

    def requantised(self, value: Value, scale: float, zero_point: int, dtype: DType = DType.I8) -> Value:
        """A Quantize and a Dequantize, as quantised models have them after every operator."""
        quant = Quant((scale,), (zero_point,))
        return self.add(Dequantize(), self.add(Quantize(dtype, quant), value))

    def weights(self, *shape: int, axis: int | None = 0) -> Value:
        """Int8 weights behind a Dequantize, with one scale for each entry of the axis."""
        integers = self.random.integers(-127, 128, shape).astype(np.int8)
        count = 1 if axis is None else shape[axis]
        scales = tuple(float(np.float32(s)) for s in self.random.uniform(0.002, 0.02, count))
        return self.add(Dequantize(), self.constant(integers, Quant(scales, (0,) * count, axis)))

    def graph(self, *outputs: Value) -> Graph:
        """The graph, verified."""
        named = [(f"result_{index}", value) for index, value in enumerate(outputs)]
        graph = self._builder.finish(named, Arithmetic.ONNX)
        verify(graph, "the test")
        return graph


def after(graph: Graph, *passes: Pass) -> Graph:
    """The graph after the passes, verified after each; inputs and outputs have kept their names and types."""
    result = run_passes(graph, passes)
    assert result.inputs == graph.inputs
    assert result.outputs == graph.outputs
    return result


def mnemonics(graph: Graph) -> list[str]:
    """The operators of a graph in order, without constants."""
    return [node.op.mnemonic for node in graph.nodes if node.op.mnemonic != "constant"]


def count(graph: Graph, mnemonic: str) -> int:
    """How many nodes have the operator."""
    return Counter(mnemonics(graph))[mnemonic]


def transposed_bytes(graph: Graph) -> int:
    """Bytes that the graph's Transposes move."""
    return sum(node.output.type.size_bytes for node in graph.nodes if isinstance(node.op, Transpose))


def random_inputs(graph: Graph, seed: int = 0) -> dict[str, Array]:
    """Normally distributed reals, or integers of the whole range."""
    random = np.random.default_rng(seed)
    return {value.name: _random(value.type, random) for value in graph.inputs}


def _random(type_: TensorType, random: np.random.Generator) -> Array:
    if type_.dtype.is_float:
        return (2 * random.normal(size=type_.shape)).astype(type_.dtype.numpy)
    limits = np.iinfo(type_.dtype.numpy.name)
    return random.integers(limits.min, limits.max + 1, type_.shape).astype(type_.dtype.numpy)


def outputs_of(graph: Graph, inputs: dict[str, Array]) -> list[Array]:
    """The outputs of a graph."""
    values = run(graph, inputs)
    return [values[value.name] for value in graph.outputs]


def assert_same_numbers(before: Graph, later: Graph, *, tolerance: float = 0.0, steps: int = 0) -> None:
    """Both graphs give the same outputs for random inputs: reals within a relative tolerance, integers within steps."""
    for seed in range(3):
        inputs = random_inputs(before, seed)
        for first, second in zip(outputs_of(before, inputs), outputs_of(later, inputs), strict=True):
            _assert_close(first, second, tolerance, steps)


def _assert_close(first: Array, second: Array, tolerance: float, steps: int) -> None:
    if first.dtype.kind == "f":
        reals = first.astype(np.float64)
        slack = tolerance * float(np.abs(reals).max(initial=1e-30))
        np.testing.assert_allclose(second.astype(np.float64), reals, rtol=tolerance, atol=slack)
    else:
        difference = np.abs(first.astype(np.int64) - second.astype(np.int64))
        assert difference.max(initial=0) <= steps
