# SPDX-License-Identifier: Apache-2.0
"""The verifier of the graph level: the legality rules, and the one function that applies them."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Graph
from stowage.ir.legality.constants import constants_are_in_the_table, digests_are_true, weights_and_tables_are_constant
from stowage.ir.legality.fault import Fault, Rule
from stowage.ir.legality.flow import (
    graph_name_is_a_c_identifier,
    graph_outputs_are_made,
    nodes_have_names_of_their_own,
    operands_are_made_before_use,
    values_are_made_once,
)
from stowage.ir.legality.quantisation import (
    operands_are_quantised_as_kernels_need,
    quantisations_are_well_formed,
    results_are_quantised_as_their_operands,
)
from stowage.ir.legality.typing import clamps_are_intervals, extents_are_not_negative, types_follow_from_operands

RULES: tuple[Rule, ...] = (
    graph_name_is_a_c_identifier,
    nodes_have_names_of_their_own,
    values_are_made_once,
    operands_are_made_before_use,
    graph_outputs_are_made,
    extents_are_not_negative,
    quantisations_are_well_formed,
    types_follow_from_operands,
    clamps_are_intervals,
    results_are_quantised_as_their_operands,
    operands_are_quantised_as_kernels_need,
    constants_are_in_the_table,
    digests_are_true,
    weights_and_tables_are_constant,
)
"""All rules, in an order in which a rule may rely on the ones before it."""

OF_ONE_NODE: frozenset[Rule] = frozenset(
    {
        extents_are_not_negative,
        quantisations_are_well_formed,
        types_follow_from_operands,
        clamps_are_intervals,
        results_are_quantised_as_their_operands,
        operands_are_quantised_as_kernels_need,
    }
)
"""Rules that look at each node by itself: what held for a node once holds as long as it is the same object."""


class InvalidGraph(Exception):
    """A stage made a graph that breaks a rule: a defect of the compiler, never a user's mistake.

    Attributes:
        stage: the pass or frontend that made the graph.
        rule: the name of the rule.
        fault: what is at fault and why.
    """

    def __init__(self, stage: str, rule: str, fault: Fault) -> None:
        super().__init__(f"after {stage}: {fault.where}: {fault.reason} (rule {rule})")
        self.stage = stage
        self.rule = rule
        self.fault = fault


def verify(graph: Graph, stage: str, since: Graph | None = None) -> None:
    """Checks a graph that `stage` made against all rules.

    Args:
        graph: the graph.
        stage: who made it, for the message.
        since: a verified graph that it was made from: nodes of it are not checked by themselves again.

    Raises:
        InvalidGraph: a rule is broken; the first fault of the first such rule is named.
    """
    known = set() if since is None else {id(node) for node in since.nodes}
    changed = replace(graph, nodes=tuple(node for node in graph.nodes if id(node) not in known))
    for rule in RULES:
        for fault in rule(changed if rule in OF_ONE_NODE else graph):
            raise InvalidGraph(stage, rule.__name__, fault)
