# SPDX-License-Identifier: Apache-2.0
"""Dumps of graphs: they read back as they were, and a real MLIR parser reads them."""

from __future__ import annotations

import dataclasses
import enum
import math
import types
import typing
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.ir import Block
from xdsl.parser import Parser

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Graph, Node, Value
from stowage.ir.ops.all import OPS
from stowage.ir.ops.elementwise import Cast, Clip, Quantize
from stowage.ir.ops.movement import Constant
from stowage.ir.ops.window import Conv2d
from stowage.ir.tensor_type import Quant, TensorType
from stowage.ir.text.attributes import TextError
from stowage.ir.text.parser import parse_graph
from stowage.ir.text.printer import print_graph
from stowage.ir.text.ssa_names import ssa_name, value_name

LEAVES: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
    str: st.text(max_size=8),
    type(None): st.none(),
}


def strategy_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type."""
    arguments = typing.get_args(hint)
    if hint in LEAVES:
        return LEAVES[hint]
    if isinstance(hint, types.UnionType):
        return st.one_of([strategy_of(member) for member in arguments])
    if arguments[1:] == (Ellipsis,):
        return st.lists(strategy_of(arguments[0]), max_size=4).map(tuple)
    if typing.get_origin(hint) is tuple:
        return st.tuples(*map(strategy_of, arguments))
    if issubclass(hint, enum.Enum):
        return st.sampled_from(hint)
    return tensor_types() if hint is TensorType else records(hint)


def records(record: type[Any]) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(record)
    return st.builds(record, **{field.name: strategy_of(hints[field.name]) for field in dataclasses.fields(record)})


def tensor_types() -> st.SearchStrategy[TensorType]:
    shapes = st.lists(st.integers(0, 1000), max_size=5).map(tuple)
    return st.builds(TensorType, shapes, st.sampled_from(DType), st.none() | records(Quant))


VALUE_TEXT = (
    st.text(max_size=6) | st.from_regex(r"[0-9]{1,3}", fullmatch=True) | st.sampled_from(["/a/b:0", "$", "x.y-1"])
)
OPERATORS = st.sampled_from(list(OPS.values())).flatmap(records)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs in SSA form whose types and attributes are anything: text asks for no more."""
    names = iter(draw(st.lists(VALUE_TEXT, unique=True, min_size=8, max_size=8)))
    known = [Value(next(names), draw(tensor_types())) for _ in range(draw(st.integers(0, 2)))]
    inputs, nodes = tuple(known), []
    for _ in range(draw(st.integers(0, 3))):
        operands = tuple(draw(st.lists(st.sampled_from(known), max_size=3))) if known else ()
        results = tuple(Value(next(names), draw(tensor_types())) for _ in range(draw(st.integers(0, 2))))
        nodes.append(Node(draw(st.text(max_size=6)), draw(OPERATORS), operands, results))
        known += results
    outputs = tuple(draw(st.lists(st.sampled_from(known), max_size=2))) if known else ()
    return Graph(draw(st.text(max_size=6)), inputs, outputs, tuple(nodes), draw(st.sampled_from(Arithmetic)))


def parse_with_xdsl(text: str) -> ModuleOp:
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    return Parser(context, text).parse_module()


@settings(deadline=None)
@given(graphs())
def test_text_reads_back_as_the_same_graph(graph: Graph) -> None:
    assert parse_graph(print_graph(graph)) == graph


@settings(deadline=None)
@given(graphs())
def test_a_real_mlir_parser_reads_it(graph: Graph) -> None:
    module = parse_with_xdsl(print_graph(graph))
    (block,) = (block for operation in module.ops for region in operation.regions for block in region.blocks)
    assert [operation_name(block, index) for index in range(len(graph.nodes))] == [
        f"stowage.{node.op.mnemonic}" for node in graph.nodes
    ]


def operation_name(block: Block, index: int) -> str:
    name = list(block.ops)[index].attributes.get("op_name__") or list(block.ops)[index].properties["op_name__"]
    return str(name.data)  # type: ignore[attr-defined]


@given(st.text(max_size=20))
@example("")
@example("0")
@example("0a")
@example("$41")
@example("größe/ü")
def test_ssa_names_are_reversible_and_legal(name: str) -> None:
    assert value_name(ssa_name(name)) == name
    text = f'"builtin.module"() ({{ {ssa_name(name)} = "t.t"() : () -> i1 }}) : () -> ()'
    parse_with_xdsl(text)


X = Value("/in:0", TensorType((1, 2, 2, 1), DType.I8, Quant((0.1,), (-3,))))
W = Value("w", TensorType((2, 1, 1, 1), DType.I8, Quant((1e-05, 0.25), (0, 0), axis=0)))
Y = Value("7", TensorType((1, 2, 2, 2), DType.I8, Quant((0.5,), (0,))))
GRAPH = Graph(
    "tiny",
    (X,),
    (Y,),
    (
        Node("weights", Constant("00ff", W.type), (), (W,)),
        Node("conv", Conv2d(clamp=(0.0, math.inf)), (X, W), (Y,)),
    ),
)
TEXT = """\
"builtin.module"() ({
  "stowage.graph"() ({
  ^bb0(%$2Fin$3A0: tensor<1x2x2x1xi8, {scales = array<f64: 0.1>, zero_points = array<i64: -3>}>):
    %w = "stowage.constant"() {node = "weights", digest = "00ff", type = tensor<2x1x1x1xi8, \
{scales = array<f64: 1.0e-05, 0.25>, zero_points = array<i64: 0, 0>, axis = 0}>} : () -> \
tensor<2x1x1x1xi8, {scales = array<f64: 1.0e-05, 0.25>, zero_points = array<i64: 0, 0>, axis = 0}>
    %7 = "stowage.conv2d"(%$2Fin$3A0, %w) {node = "conv", strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, \
dilations = array<i64: 1, 1>, groups = 1, clamp = [0.0, 0x7FF0000000000000 : f64]} : \
(tensor<1x2x2x1xi8, {scales = array<f64: 0.1>, zero_points = array<i64: -3>}>, \
tensor<2x1x1x1xi8, {scales = array<f64: 1.0e-05, 0.25>, zero_points = array<i64: 0, 0>, axis = 0}>) -> \
tensor<1x2x2x2xi8, {scales = array<f64: 0.5>, zero_points = array<i64: 0>}>
    "stowage.return"(%7) : (tensor<1x2x2x2xi8, {scales = array<f64: 0.5>, zero_points = array<i64: 0>}>) -> ()
  }) {name = "tiny", arithmetic = "onnx"} : () -> ()
}) : () -> ()
"""


def test_text_is_what_a_reader_expects() -> None:
    assert print_graph(GRAPH) == TEXT


def test_numbers_may_have_types_and_lines_comments() -> None:
    typed = TEXT.replace("groups = 1", "groups = 1 : i64").replace("^bb0", "// inputs\n ^bb0")
    assert parse_graph(typed) == GRAPH


@pytest.mark.parametrize("op", [Cast(DType.U8), Clip(-math.inf, 5e-324), Quantize(DType.I8, Quant((), ()))])
def test_corner_values(op: Any) -> None:
    graph = dataclasses.replace(GRAPH, nodes=(Node("corner", op, (X,), (Y,)),))
    assert parse_graph(print_graph(graph)) == graph


WRONG = [
    (TEXT.replace('"stowage.conv2d"', '"stowage.conv9d"'), "there is no operator stowage.conv9d"),
    (TEXT.replace("groups = 1", "groups = 1.5"), "1.5 is no <class 'int'>"),
    (TEXT.replace("groups = 1, ", ""), "Conv2d needs a field groups"),
    (TEXT.replace("groups", "troops"), "Conv2d has no field troops"),
    (TEXT.replace("strides = array<i64: 1, 1>", "strides = array<i64: 1>"), r"\(1,\) is no tuple\[int, int\]"),
    (TEXT.replace("%7 = ", ""), "expected 0 types before this instead of 1"),
    (TEXT.replace("2x2x2xi8", "2x2x2xi9"), "line 5, column .*: expected an element type"),
    (TEXT.replace("^bb0(", "^bb0["), "line 3, column 7: expected `:`"),
    (TEXT.replace('"onnx"', '"numpy"'), "'numpy' is no <enum 'Arithmetic'>"),
    (TEXT.replace("stowage.return", "stowage.retire"), "ends in a stowage.return"),
    (TEXT + "x", "one builtin.module and then the end"),
    (TEXT[:-20], "expected"),
    (TEXT.replace("%w", "%w ?"), "expected a word of MLIR's generic syntax"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_no_dump_is_refused(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        parse_graph(text)
