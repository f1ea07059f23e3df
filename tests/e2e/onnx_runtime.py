# SPDX-License-Identifier: Apache-2.0
"""Every tensor of a model as ONNX Runtime computes it: optimisation off, each node as it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
import onnxruntime

from stowage.ir.graph import Array


class EveryTensor:
    """A session that gives all intermediate tensors, by name, for one set of inputs after the other."""

    def __init__(self, model: onnx.ModelProto) -> None:
        made = [name for node in model.graph.node for name in node.output if name]
        exposed = onnx.ModelProto()
        exposed.CopyFrom(model)
        self._outputs = {node.name: node.output[0] for node in model.graph.node if node.name}
        given = {output.name for output in model.graph.output}
        exposed.graph.output.extend(onnx.ValueInfoProto(name=name) for name in made if name not in given)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            exposed.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        self._names = [output.name for output in exposed.graph.output]
        self.inputs: Sequence[str] = [value.name for value in self._session.get_inputs()]

    def run(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """All tensors, inputs among them; a node's first output by the name of the node too, where that is free."""
        outputs = self._session.run(self._names, dict(inputs))
        made = {name: np.asarray(array) for name, array in zip(self._names, outputs, strict=True)}
        given = {name: np.asarray(array) for name, array in inputs.items()}
        return {**{node: made[output] for node, output in self._outputs.items()}, **given, **made}
