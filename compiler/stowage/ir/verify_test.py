# SPDX-License-Identifier: Apache-2.0
"""Every legality rule is broken once, from a graph that keeps all of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Graph, Node, Value, digest_of
from stowage.ir.legality.fault import Rule
from stowage.ir.ops.elementwise import Add, Dequantize, Quantize, Relu, Table
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Constant, Reshape
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import Quant, TensorType
from stowage.ir.verify import OF_ONE_NODE, RULES, InvalidGraph, verify

IN, WEIGHT, OUT = Quant((0.5,), (3,)), Quant((0.25, 0.125), (0, 0), axis=0), Quant((0.1,), (-5,))
WEIGHTS: Array = np.array([[1, -2, 3], [4, 5, -6]], dtype=np.int8)
BIAS: Array = np.array([100, -100], dtype=np.int32)
TABLE: Array = np.arange(-128, 128, dtype=np.int8)


def value(name: str, shape: tuple[int, ...], dtype: DType, quant: Quant | None = None) -> Value:
    return Value(name, TensorType(shape, dtype, quant))


X = value("x", (1, 3), DType.F32)
XQ = value("xq", (1, 3), DType.I8, IN)
FLAT = value("flat", (3,), DType.I8, IN)
BACK = value("back", (1, 3), DType.I8, IN)
W = value("w", (2, 3), DType.I8, WEIGHT)
B = value("b", (2,), DType.I32, Quant((0.125, 0.0625), (0, 0), axis=0))
T = value("t", (256,), DType.I8)
FC = value("fc", (1, 2), DType.I8, OUT)
LOOKED = value("looked", (1, 2), DType.I8, OUT)
Y = value("y", (1, 2), DType.F32)


def constant(output: Value, array: Array) -> Node:
    return Node(output.name, Constant(digest_of(array), output.type), (), (output,))


def legal() -> Graph:
    nodes = (
        constant(W, WEIGHTS),
        constant(B, BIAS),
        constant(T, TABLE),
        Node("quantize", Quantize(DType.I8, IN), (X,), (XQ,)),
        Node("flatten", Reshape((3,)), (XQ,), (FLAT,)),
        Node("back", Reshape((1, 3)), (FLAT,), (BACK,)),
        Node("fc", FullyConnected(), (BACK, W, B), (FC,)),
        Node("look", Table(OUT), (FC, T), (LOOKED,)),
        Node("dequantize", Dequantize(), (LOOKED,), (Y,)),
    )
    return Graph("legal", (X,), (Y,), nodes, constants={digest_of(array): array for array in (WEIGHTS, BIAS, TABLE)})


def with_value(graph: Graph, name: str, new: Value) -> Graph:
    """The graph with a value replaced wherever it occurs."""

    def swap(values: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple(new if old.name == name else old for old in values)

    nodes = tuple(replace(node, inputs=swap(node.inputs), outputs=swap(node.outputs)) for node in graph.nodes)
    return replace(graph, inputs=swap(graph.inputs), outputs=swap(graph.outputs), nodes=nodes)


def with_node(graph: Graph, name: str, change: Callable[[Node], Node]) -> Graph:
    return replace(graph, nodes=tuple(change(node) if node.name == name else node for node in graph.nodes))


def with_op(graph: Graph, name: str, op: Op) -> Graph:
    return with_node(graph, name, lambda node: replace(node, op=op))


def with_type(graph: Graph, name: str, new: TensorType) -> Graph:
    return with_value(graph, name, Value(name, new))


def test_legal_graph_passes() -> None:
    verify(legal(), "import")


def test_error_names_stage_place_reason_and_rule() -> None:
    with pytest.raises(InvalidGraph) as caught:
        verify(replace(legal(), name="no identifier"), "fold")
    expected = "after fold: graph: the name 'no identifier' is no C identifier (rule graph_name_is_a_c_identifier)"
    assert str(caught.value) == expected


I8_PAIR = TensorType((1, 2), DType.I8, OUT)
BROKEN: list[tuple[str, str, Graph]] = [
    ("graph_name_is_a_c_identifier", "graph", replace(legal(), name="1st")),
    ("nodes_have_names_of_their_own", "node fc", with_node(legal(), "look", lambda node: replace(node, name="fc"))),
    ("nodes_have_names_of_their_own", "graph", with_node(legal(), "look", lambda node: replace(node, name=""))),
    ("values_are_made_once", "value fc", with_value(legal(), "looked", FC)),
    ("values_are_made_once", "graph", with_value(legal(), "looked", replace(LOOKED, name=""))),
    ("operands_are_made_before_use", "node quantize", replace(legal(), inputs=())),
    ("operands_are_made_before_use", "node dequantize", replace(legal(), nodes=legal().nodes[::-1])),
    (
        "operands_are_made_before_use",
        "node fc",
        with_node(legal(), "fc", lambda node: replace(node, inputs=(replace(BACK, type=FLAT.type), W, B))),
    ),
    ("graph_outputs_are_made", "graph outputs", replace(legal(), outputs=(replace(Y, name="nowhere"),))),
    ("graph_outputs_are_made", "graph", replace(legal(), outputs=())),
    ("extents_are_not_negative", "value x", with_type(legal(), "x", TensorType((-1, 3), DType.F32))),
    ("types_follow_from_operands", "node fc", with_type(legal(), "fc", TensorType((1, 3), DType.I8, OUT))),
    ("types_follow_from_operands", "node fc", with_type(legal(), "fc", TensorType((1, 2), DType.F32))),
    ("types_follow_from_operands", "node fc", with_op(legal(), "fc", Add())),
    (
        "types_follow_from_operands",
        "node fc",
        with_node(legal(), "fc", lambda node: replace(node, outputs=(FC, replace(FC, name="more")))),
    ),
    ("clamps_are_intervals", "node fc", with_op(legal(), "fc", FullyConnected(clamp=(1.0, 0.0)))),
    ("clamps_are_intervals", "node fc", with_op(legal(), "fc", FullyConnected(clamp=(math.nan, 0.0)))),
    (
        "quantisations_are_well_formed",
        "value xq",
        with_type(legal(), "xq", replace(XQ.type, quant=Quant((0.0,), (3,)))),
    ),
    (
        "quantisations_are_well_formed",
        "value xq",
        with_type(legal(), "xq", replace(XQ.type, quant=Quant((0.5,), (128,)))),
    ),
    (
        "quantisations_are_well_formed",
        "value w",
        with_type(legal(), "w", replace(W.type, quant=replace(WEIGHT, axis=1))),
    ),
    (
        "quantisations_are_well_formed",
        "value w",
        with_type(legal(), "w", replace(W.type, quant=replace(WEIGHT, axis=2))),
    ),
    ("quantisations_are_well_formed", "value x", with_type(legal(), "x", replace(X.type, quant=IN))),
    (
        "results_are_quantised_as_their_operands",
        "node flatten",
        with_type(legal(), "flat", replace(FLAT.type, quant=OUT)),
    ),
    ("results_are_quantised_as_their_operands", "node quantize", with_type(legal(), "xq", replace(XQ.type, quant=OUT))),
    ("results_are_quantised_as_their_operands", "node fc", with_type(legal(), "fc", replace(FC.type, quant=None))),
    (
        "results_are_quantised_as_their_operands",
        "node fc",
        with_type(legal(), "fc", replace(FC.type, quant=Quant((0.1, 0.2), (0, 0), axis=1))),
    ),
    (
        "operands_are_quantised_as_kernels_need",
        "node relu",
        replace(
            legal(),
            nodes=(constant(W, WEIGHTS), Node("relu", Relu(), (W,), (value("r", (2, 3), DType.I8, OUT),))),
            outputs=(value("r", (2, 3), DType.I8, OUT),),
        ),
    ),
    (
        "operands_are_quantised_as_kernels_need",
        "node fc",
        with_node(
            with_type(legal(), "b", replace(B.type, quant=Quant((1.0,), (0,)))),
            "b",
            lambda node: constant(replace(B, type=replace(B.type, quant=Quant((1.0,), (0,)))), BIAS),
        ),
    ),
    ("constants_are_in_the_table", "node w", replace(legal(), constants={})),
    (
        "constants_are_in_the_table",
        "node t",
        with_node(legal(), "t", lambda node: replace(node, op=Constant(digest_of(WEIGHTS), T.type))),
    ),
    ("digests_are_true", "constant 0123", replace(legal(), constants={**legal().constants, "0123": TABLE})),
    (
        "weights_and_tables_are_constant",
        "node fc",
        replace(legal(), nodes=legal().nodes[1:], inputs=(X, W)),
    ),
]


@pytest.mark.parametrize(("rule", "where", "graph"), BROKEN, ids=lambda item: item if isinstance(item, str) else "")
def test_broken_rule_is_reported(rule: str, where: str, graph: Graph) -> None:
    with pytest.raises(InvalidGraph) as caught:
        verify(graph, "test")
    assert (caught.value.rule, caught.value.fault.where) == (rule, where)


def test_every_rule_is_broken_by_some_case() -> None:
    assert {rule.__name__ for rule in RULES} == {rule for rule, _, _ in BROKEN}


def test_quantised_result_may_change_its_8_bit_type() -> None:
    graph = with_type(legal(), "fc", TensorType((1, 2), DType.U8, Quant((0.1,), (123,))))
    verify(graph, "test")


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule in OF_ONE_NODE])
def test_a_rule_of_one_node_finds_in_a_node_by_itself_what_it_finds_in_the_graph(rule: Rule) -> None:
    broken_so = [graph for name, _, graph in BROKEN if name == rule.__name__]
    for broken in broken_so:
        of_inputs = list(rule(replace(broken, nodes=())))
        of_nodes = [fault for node in broken.nodes for fault in rule(replace(broken, inputs=(), nodes=(node,)))]
        assert of_inputs + of_nodes == list(rule(broken)) != []
    assert broken_so


def test_nodes_of_a_verified_graph_are_not_checked_again_and_new_ones_are() -> None:
    broken = with_op(legal(), "back", Reshape((7, 7)))
    verify(broken, "test", since=broken)
    with pytest.raises(InvalidGraph, match="rule types_follow_from_operands"):
        verify(broken, "test", since=legal())


def test_rules_of_the_whole_graph_are_checked_whatever_it_was_made_from() -> None:
    broken = replace(legal(), nodes=legal().nodes[1:])
    with pytest.raises(InvalidGraph):
        verify(broken, "test", since=broken)
