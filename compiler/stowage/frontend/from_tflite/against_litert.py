# SPDX-License-Identifier: Apache-2.0
"""Test support: a model's graph, before and after all passes, computes what LiteRT does; kernels are there for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from stowage.frontend.from_tflite.litert import run_litert
from stowage.frontend.from_tflite.model_making import Subgraph, model_bytes
from stowage.frontend.tflite_model import read_tflite
from stowage.ir.graph import Array, Graph
from stowage.ir.ops.movement import Constant
from stowage.ir.reference import run
from stowage.passes.graph_pass import run_passes
from stowage.passes.order import PASSES
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import Site

_NONE: Mapping[str, int] = MappingProxyType({})


def check(
    folder: Path,
    subgraph: Subgraph,
    inputs: list[Array],
    *,
    called: Subgraph | None = None,
    relative: float = 0.0,
    reference: bool = True,
    dimensions: Mapping[str, int] = _NONE,
) -> Graph:
    """The graph computes what LiteRT does, as imported and as compiled; the latter is returned.

    Args:
        folder: where the file goes.
        subgraph: the model.
        inputs: its inputs, in its order.
        called: another subgraph of the file.
        relative: how far reals may be off, relative to the largest of each output; integers are the same bits.
        dimensions: values for the extents that the file leaves open.
        reference: whether LiteRT's reference kernels are asked, or its usual ones.
    """
    data = model_bytes(*(each for each in (subgraph, called) if each is not None))
    path = folder / "model.tflite"
    path.write_bytes(data)
    expected = run_litert(data, inputs, reference=reference)
    imported = read_tflite(path, dimensions)
    compiled = run_passes(imported, PASSES)
    for graph in (imported, compiled):
        values = run(graph, dict(zip((value.name for value in graph.inputs), inputs, strict=True)))
        for value, array in zip(graph.outputs, expected, strict=True):
            _check_near(values[value.name], array, relative)
    _check_kernels(compiled)
    return compiled


def _check_near(output: Array, expected: Array, relative: float) -> None:
    if not relative or expected.dtype != np.float32:
        np.testing.assert_array_equal(output, expected)
        return
    largest = float(np.abs(expected[np.isfinite(expected)]).max(initial=1e-30))
    near = output.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_allclose(*near, rtol=relative, atol=relative * largest)


def _check_kernels(graph: Graph) -> None:
    """Every node has a kernel."""
    known = {node.output.name: graph.constants[node.op.digest] for node in graph.nodes if isinstance(node.op, Constant)}
    for node in graph.nodes:
        if not isinstance(node.op, Constant):
            operands = {value.name: known[value.name] for value in node.inputs if value.name in known}
            lower(node, Site(operands, graph.arithmetic))
