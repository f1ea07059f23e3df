# SPDX-License-Identifier: Apache-2.0
"""Functions that a model defines for itself are replaced by their bodies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from onnx import FunctionProto, ModelProto, NodeProto

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.subgraphs import all_nodes

LARGEST_NODE_COUNT = 2**17
"""Functions that call functions can unfold without bounds; no model for a microcontroller has as many nodes."""

Key = tuple[str, str]


def inlined(model: ModelProto) -> ModelProto:
    """The model without functions of its own.

    Raises:
        InvalidModel: they call each other in a circle or do not fit their calls.
        UnsupportedModel: they unfold to too many nodes.
    """
    if not model.functions:
        return model
    if _unfolded_nodes(model) > LARGEST_NODE_COUNT:
        raise UnsupportedModel(
            reason=f"the model's own functions unfold to more than {LARGEST_NODE_COUNT} nodes",
            remedy="simplify the model",
        )
    from onnx.inliner import inline_local_functions  # few models have functions

    try:
        return inline_local_functions(model)
    except Exception as error:  # the C++ inliner raises whatever its checks raise
        raise _refused(str(error).split("\n")[0][:200]) from None


def _refused(reason: str) -> InvalidModel:
    return InvalidModel(
        reason=f"the model's own functions cannot be put in place of their calls ({reason})",
        remedy="inline them with onnx.inliner and check the model",
    )


def _unfolded_nodes(model: ModelProto) -> int:
    functions = {(function.domain, function.name): function for function in model.functions}
    sizes: dict[Key, int] = {}
    for key in _callees_first(functions):
        sizes[key] = _size(functions[key].node, sizes)
    return _size(model.graph.node, sizes)


def _size(nodes: Iterable[NodeProto], sizes: Mapping[Key, int]) -> int:
    return sum(sizes.get((node.domain, node.op_type), 1) for node in all_nodes(nodes))


def _callees_first(functions: Mapping[Key, FunctionProto]) -> list[Key]:
    """Depth-first order with a stack of its own: hostile files nest deeper than Python does."""
    order: list[Key] = []
    state: dict[Key, bool] = {}  # False: being visited, True: done
    for root in functions:
        stack = [root]
        while stack:
            key = stack[-1]
            calls = {(node.domain, node.op_type) for node in all_nodes(functions[key].node)} & functions.keys()
            if key not in state:
                state[key] = False
                if any(state.get(call) is False for call in calls):
                    raise _refused(f"{key[1]!r} calls itself")
                stack.extend(call for call in calls if call not in state)
                continue
            stack.pop()
            if not state[key]:
                state[key] = True
                order.append(key)
    return order
