# SPDX-License-Identifier: Apache-2.0
"""Graph to Schedule: a kernel for every node, a view for every node that only renames bytes, in the graph's order."""

from __future__ import annotations

from stowage.errors import UnsupportedModel
from stowage.ir.graph import Array, Graph, Node
from stowage.ir.ops.movement import Constant, Reshape
from stowage.schedule.schedule import Schedule, Step, View, in_base_order
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site


def select(graph: Graph, features: frozenset[str], stepless: frozenset[str] = frozenset()) -> Schedule:
    """The steps of a graph for a core with the given features.

    Args:
        graph: what is computed.
        features: those of the core that kernels look at.
        stepless: names of values that no step is to make, since the caller finds their bytes elsewhere. Where there are
            any, the views are in the graph's order.

    Raises:
        UnsupportedModel: no kernel computes one of the nodes.
    """
    constants = {node.output.name: node.op.digest for node in graph.nodes if isinstance(node.op, Constant)}
    arrays = {name: graph.constants[digest] for name, digest in constants.items()}
    steps: list[Step] = []
    views: dict[str, View] = {}
    storage = _OutputStorage(graph, constants)
    for node in graph.nodes:
        if isinstance(node.op, Constant) or node.outputs[0].name in stepless:
            continue
        view = _view(node, views) if _is_view(node, constants) else None
        if view is not None and storage.may_be(view):
            views[node.output.name] = view
        else:
            steps.append(Step(node, _call(node, graph, arrays, features)))
    ordered = tuple(views.values()) if stepless else in_base_order(views.values(), graph.inputs, steps)
    values = tuple((node.output, constants[node.output.name]) for node in graph.nodes if isinstance(node.op, Constant))
    return Schedule(graph.name, graph.inputs, graph.outputs, tuple(steps), ordered, values, graph.constants)


_SHOWN = 4
"""Operands that a refusal tells the types of."""


class _OutputStorage:
    """Whose bytes are an output's: no two outputs share any, and only an output that is an input has an input's."""

    def __init__(self, graph: Graph, constants: dict[str, str]) -> None:
        self._outputs = {value.name for value in graph.outputs}
        seen = {node.output.name for node in graph.nodes if _is_view(node, constants)}
        self._taken = {value.name for value in graph.inputs} | self._outputs - seen

    def may_be(self, view: View) -> bool:
        """Whether a value may be a view of its base. An output takes the base, or else has to be a copy."""
        if view.value.name not in self._outputs:
            return True
        free = view.base.name not in self._taken
        self._taken.add(view.base.name if free else view.value.name)
        return free


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
        types = ", ".join(f"{value.type.dtype.value}{list(value.type.shape)}" for value in node.inputs[:_SHOWN])
        types += f" and {len(node.inputs) - _SHOWN} more" if len(node.inputs) > _SHOWN else ""
        raise UnsupportedModel(
            where=f'node "{node.name}" ({node.op.mnemonic})',
            reason=f"no kernel takes operands {types}: {refusal}",
            remedy="change the layer to a supported form (docs/operators.md lists them) or keep it out of the model",
        ) from refusal
