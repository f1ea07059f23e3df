# SPDX-License-Identifier: Apache-2.0
"""Graph to Schedule: a kernel for every node, a view for every node that only renames bytes, in the graph's order."""

from __future__ import annotations

from stowage.errors import UnsupportedModel
from stowage.ir.graph import Array, Graph, Node, Value
from stowage.ir.ops.movement import Constant, Reshape
from stowage.schedule.schedule import Schedule, Step, View, in_base_order
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.copy import copy_call
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site


def select(graph: Graph, features: frozenset[str]) -> Schedule:
    """The steps of a graph for a core with the given features.

    Raises:
        UnsupportedModel: no kernel computes one of the nodes.
    """
    constants = {node.output.name: node.op.digest for node in graph.nodes if isinstance(node.op, Constant)}
    arrays = {name: graph.constants[digest] for name, digest in constants.items()}
    steps: list[Step] = []
    views: dict[str, View] = {}
    for node in graph.nodes:
        if isinstance(node.op, Constant):
            continue
        if _is_view(node, constants):
            views[node.output.name] = _view(node, views)
        else:
            steps.append(Step(node, _call(node, graph, arrays, features)))
    steps, kept = _settle_outputs(graph, steps, views, constants)
    ordered = in_base_order(kept, graph.inputs, steps)
    values = tuple((node.output, constants[node.output.name]) for node in graph.nodes if isinstance(node.op, Constant))
    return Schedule(graph.name, graph.inputs, graph.outputs, tuple(steps), ordered, values, graph.constants)


def _is_view(node: Node, constants: dict[str, str]) -> bool:
    return isinstance(node.op, Reshape) and node.inputs[0].name not in constants


def _view(node: Node, views: dict[str, View]) -> View:
    base = node.inputs[0]
    return View(node.output, views[base.name].base if base.name in views else base)


def _call(node: Node, graph: Graph, arrays: dict[str, Array], features: frozenset[str]) -> KernelCall:
    own = {value.name: arrays[value.name] for value in node.inputs if value.name in arrays}
    try:
        return lower(node, Site(own, graph.arithmetic, features))
    except NoKernel as refusal:
        types = ", ".join(f"{value.type.dtype.value}{list(value.type.shape)}" for value in node.inputs)
        raise UnsupportedModel(
            where=f'node "{node.name}" ({node.op.mnemonic})',
            reason=f"no kernel takes operands {types}: {refusal}",
            remedy="change the layer to a supported form (docs/operators.md lists them) or keep it out of the model",
        ) from refusal


def _settle_outputs(
    graph: Graph, steps: list[Step], views: dict[str, View], constants: dict[str, str]
) -> tuple[list[Step], tuple[View, ...]]:
    """Copies for outputs that would else be an input's or constant's bytes, or the same bytes as another output.

    An output that is itself an input of the graph stays where the caller put it.
    """
    inputs = {value.name for value in graph.inputs}
    taken: set[str] = set()
    kept = dict(views)
    for output in graph.outputs:
        if output.name in inputs:
            continue
        base = views[output.name].base if output.name in views else output
        if base.name in inputs | constants.keys() | taken:
            kept.pop(output.name, None)
            steps.append(_copy(base, output))
        taken.add(base.name)
    return steps, tuple(kept.values())


def _copy(source: Value, target: Value) -> Step:
    node = Node(f"copy_{target.name}", Reshape(target.type.shape), (source,), (target,))
    return Step(node, copy_call(node))
