# SPDX-License-Identifier: Apache-2.0
"""Which rows of its operands an operator reads for some rows of its output, and the operator that makes just these.

Tensors are images of one batch, [1, H, W, C], so that rows are consecutive bytes. What is made of some rows is to the
bit what the whole operator makes there: a window keeps its pads at the edges of the image alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops import elementwise
from stowage.ir.ops.fed_rows import FeedRows
from stowage.ir.ops.function import NumberFunction
from stowage.ir.ops.movement import Concat, Pad, Slice
from stowage.ir.ops.op import Op
from stowage.ir.ops.residual import Conv2dAdd
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.ops.window_shape import Pads, WindowAxis, window_axes
from stowage.ir.tensor_type import TensorType

ROWS = 1
"""The axis of rows."""
_RANK = 4


@dataclass(frozen=True, slots=True)
class Cut:
    """How some rows of an output are made.

    Attributes:
        op: the operator that makes them.
        reads: for each operand that is an image the first row that is read and the one after the last, by its index.
    """

    op: Op
    reads: Mapping[int, tuple[int, int]]


Window = Conv2d | DepthwiseConv2d | MaxPool2d | AveragePool2d
_WINDOWS = (Conv2d, DepthwiseConv2d, MaxPool2d, AveragePool2d)
_POINTWISE = (
    NumberFunction,
    elementwise.Add,
    elementwise.Sub,
    elementwise.Mul,
    elementwise.Div,
    elementwise.Cast,
    elementwise.Quantize,
    elementwise.Dequantize,
    elementwise.Table,
)


def is_image(type_: TensorType) -> bool:
    """Whether rows of a tensor are consecutive bytes that an operator may be asked to make some of."""
    axis = None if type_.quant is None else type_.quant.axis
    return len(type_.shape) == _RANK and type_.shape[0] == 1 and type_.elements > 0 and axis in (None, _RANK - 1)


def rows_of(type_: TensorType, rows: int) -> TensorType:
    """The type of some rows of an image."""
    return replace(type_, shape=(1, rows, *type_.shape[ROWS + 1 :]))


def cut(node: Node, first: int, end: int) -> Cut:
    """How rows [first, end) of the output of a node that `can_be_cut` are made."""
    op = node.op
    if isinstance(op, FeedRows):
        return Cut(FeedRows(first, end - first), MappingProxyType({}))
    if isinstance(op, Conv2dAdd):
        pads, rows = _window(op.conv, node, first, end)
        return Cut(replace(op, conv=replace(op.conv, pads=pads)), MappingProxyType({0: rows, 3: (first, end)}))
    if isinstance(op, _WINDOWS):
        pads, rows = _window(op, node, first, end)
        return Cut(replace(op, pads=pads), MappingProxyType({0: rows}))
    if isinstance(op, Pad):
        return _cut_pad(op, node, first, end)
    if isinstance(op, Slice):
        op = replace(op, shape=(1, end - first, *op.shape[ROWS + 1 :]))
    shape = node.output.type.shape[: ROWS + 1]
    images = (index for index, value in enumerate(node.inputs) if value.type.shape[: ROWS + 1] == shape)
    return Cut(op, MappingProxyType(dict.fromkeys(images, (first, end))))


def can_be_cut(node: Node, is_constant: Callable[[Value], bool]) -> bool:
    """Whether a node makes an image whose rows can be made in parts, of operands that are images or constants."""
    operands = [value for value in node.inputs if not is_constant(value)]
    images = all(is_image(value.type) for value in (*operands, *node.outputs))
    if len(node.outputs) != 1 or not operands or not images:
        return False
    op, shape = node.op, node.output.type.shape
    if isinstance(op, FeedRows):
        return True
    if isinstance(op, Conv2dAdd):
        return operands == [node.inputs[0], node.inputs[3]] and _sees_rows(op.conv, node)
    if isinstance(op, _WINDOWS):
        return operands == [node.inputs[0]] and _sees_rows(op, node)
    if isinstance(op, Pad):
        return op.mode == "constant" and operands == list(node.inputs) and not (op.before[0] or op.after[0])
    if isinstance(op, Concat):
        return op.axis > ROWS and operands == list(node.inputs)
    if isinstance(op, Slice):
        return (op.begins[ROWS], op.steps[ROWS], op.shape[ROWS]) == (0, 1, node.inputs[0].type.shape[ROWS])
    constants = [value for value in node.inputs if is_constant(value)]
    same = all(value.type.shape == shape for value in operands)
    return isinstance(op, _POINTWISE) and same and all(_is_same_in_each_row(value.type) for value in constants)


def summed_pool(node: Node) -> AveragePool2d | None:
    """The average pool of a node that makes the mean of a whole int8 image: its rows can be summed as they come."""
    op, source, result = node.op, node.inputs[0].type, node.outputs[0].type
    if not isinstance(op, AveragePool2d) or any(op.pads) or source.shape[1:3] != op.kernel:
        return None
    bytes_alone = (source.dtype, result.dtype) == (DType.I8, DType.I8) and source.quant is not None
    return op if bytes_alone and source.shape[0] == 1 and result.shape[1:3] == (1, 1) else None


def striped_rows(node: Node) -> int:
    """The rows that are divided into stripes where a node is the last of a segment: its own, or those that it sums."""
    return (node.inputs[0] if summed_pool(node) else node.outputs[0]).type.shape[ROWS]


def _is_same_in_each_row(type_: TensorType) -> bool:
    """Whether a constant that is broadcast to an image is the same for each of its rows."""
    return len(type_.shape) < _RANK - ROWS or type_.shape[ROWS - _RANK] == 1


def _rows_axis(op: Window, node: Node) -> WindowAxis:
    if isinstance(op, Conv2d):
        kernel = node.inputs[1].type.shape[1:3]
    elif isinstance(op, DepthwiseConv2d):
        kernel = node.inputs[1].type.shape[0:2]
    else:
        kernel = op.kernel
    return window_axes((kernel[0], kernel[1]), op.strides, op.pads, op.dilations)[0]


def _span(axis: WindowAxis, first: int, end: int) -> tuple[int, int]:
    """The rows under the window, of an image that goes on without end."""
    return first * axis.stride - axis.before, (end - 1) * axis.stride - axis.before + axis.span


def _sees_rows(op: Window, node: Node) -> bool:
    """Whether the window is over some row of the image for each row of the output."""
    axis, last = _rows_axis(op, node), node.output.type.shape[ROWS]
    return _span(axis, 0, 1)[1] > 0 and _span(axis, last - 1, last)[0] < node.inputs[0].type.shape[ROWS]


def _window(op: Window, node: Node, first: int, end: int) -> tuple[Pads, tuple[int, int]]:
    """The pads that are left, and the rows under the window that are there."""
    height = node.inputs[0].type.shape[ROWS]
    begin, stop = _span(_rows_axis(op, node), first, end)
    pads = (max(0, -begin), op.pads[1], max(0, stop - height), op.pads[3])
    return pads, (max(0, begin), min(height, stop))


def _cut_pad(op: Pad, node: Node, first: int, end: int) -> Cut:
    """Reads one row at least: what lies in the padding alone crops it."""
    height, top = node.inputs[0].type.shape[ROWS], op.before[ROWS]
    begin = min(max(0, first - top), height - 1)
    stop = max(begin + 1, min(height, end - top))
    before = max(begin - (first - top), begin - stop)
    after = end - first - before - (stop - begin)
    if after < begin - stop:
        before, after = end - first, begin - stop
    padded = replace(op, before=_with_rows(op.before, before), after=_with_rows(op.after, after))
    return Cut(padded, MappingProxyType({0: (begin, stop)}))


def _with_rows(pads: tuple[int, ...], rows: int) -> tuple[int, ...]:
    return (*pads[:ROWS], rows, *pads[ROWS + 1 :])
