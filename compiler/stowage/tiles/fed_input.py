# SPDX-License-Identifier: Apache-2.0
"""Graph to Graph: the model's input comes from the caller row by row, and is never whole.

The input's rows are made by a node of their own (`FeedRows`), so that stripes take them as they take the rows of any
layer: as many as the next rows of a reader need, those kept that a later row needs again.

A row is what lies at one height, pixel by pixel: where a model would have the channels first, or the image in a shape
of its own, the node that rearranges it for the first layer is done without, and the caller's rows are in its order.
"""

from __future__ import annotations

from dataclasses import replace

from stowage.errors import UnsupportedModel
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Cast, Dequantize, Quantize, Table
from stowage.ir.ops.fed_rows import FeedRows
from stowage.ir.ops.function import NumberFunction
from stowage.ir.ops.movement import Constant, Reshape, Transpose
from stowage.passes.fresh_names import FreshNames
from stowage.tiles.row_rules import ROWS, is_image
from stowage.tiles.stripes import worked

_CHANNELS_LAST = Transpose((0, 2, 3, 1))
_ELEMENT_BY_ELEMENT = (Cast, Quantize, Dequantize, Table, NumberFunction)


def with_fed_input(graph: Graph) -> Graph:
    """The graph with its one input fed by rows, before its first node.

    Raises:
        UnsupportedModel: it has several inputs, or one that is no image.
    """
    if len(graph.inputs) != 1:
        names = ", ".join(f'"{value.name}"' for value in graph.inputs) or "none"
        raise refused("the model", f"it has {len(graph.inputs)} inputs ({names}), and only a sole one is fed by rows")
    graph = _channels_last(graph)
    (image,) = graph.inputs
    shape = "x".join(map(str, image.type.shape)) or "scalar"
    if not is_image(image.type) or image.type.shape[ROWS] < 2:
        raise refused(f'input "{image.name}"', f"{shape} is no image of several rows (1 x height x width x channels)")
    if image in graph.outputs:
        raise refused(f'input "{image.name}"', "it is an output as well, which has to be whole")
    return _fed(graph, image)


def refused(where: str, reason: str) -> UnsupportedModel:
    """A model whose input is not fed by rows."""
    return UnsupportedModel(where=where, reason=reason, remedy="leave stream_input out (--stream-input)")


def _fed(graph: Graph, image: Value) -> Graph:
    names = FreshNames(value.name for node in graph.nodes for value in (*node.outputs, *graph.inputs))
    fed = Value(names.take(f"{image.name}.fed"), image.type)
    feed = Node(fed.name, FeedRows(0, image.type.shape[ROWS]), (image,), (fed,))
    constants = [node for node in graph.nodes if isinstance(node.op, Constant)]
    work = (replace(each, inputs=tuple(fed if v == image else v for v in each.inputs)) for each in worked(graph))
    return replace(graph, nodes=(*constants, feed, *work))


def _channels_last(graph: Graph) -> Graph:
    """The graph whose input is as the first layer reads it, where a node would first have to bring it in that order."""
    chain = _chain(graph)
    if not chain:
        return graph
    (image,) = graph.inputs
    *before, last = chain
    shape = last.output.type.shape
    known = {value.name: replace(value, type=replace(value.type, shape=shape)) for value in (image, *_made(before))}
    known[last.output.name] = known[last.inputs[0].name]
    nodes = (
        replace(
            node,
            inputs=tuple(known.get(value.name, value) for value in node.inputs),
            outputs=tuple(known.get(value.name, value) for value in node.outputs),
        )
        for node in graph.nodes
        if node is not last
    )
    return replace(graph, inputs=(known[image.name],), nodes=tuple(nodes))


def _made(nodes: list[Node]) -> list[Value]:
    return [node.output for node in nodes]


def _chain(graph: Graph) -> list[Node]:
    """The nodes that work on the input element by element, up to one that puts it in the order of an image; nothing
    else reads what they make. None if there is no such end."""
    value, chain = graph.inputs[0], list[Node]()
    while value not in graph.outputs:
        readers = [node for node in graph.nodes if value in node.inputs]
        if len(readers) != 1:
            return []
        (node,) = readers
        chain.append(node)
        if node.op == _CHANNELS_LAST or (isinstance(node.op, Reshape) and is_image(node.output.type)):
            return chain if node.output not in graph.outputs else []
        quant = node.output.type.quant
        if not isinstance(node.op, _ELEMENT_BY_ELEMENT) or (quant is not None and quant.axis is not None):
            return []
        value = node.output
    return []
