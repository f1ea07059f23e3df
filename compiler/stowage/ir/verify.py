# SPDX-License-Identifier: Apache-2.0
"""The verifier of the graph level: the legality rules, and the one function that applies them."""

from __future__ import annotations

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


def verify(graph: Graph, stage: str) -> None:
    """Checks a graph that `stage` made against all rules.

    Raises:
        InvalidGraph: a rule is broken; the first fault of the first such rule is named.
    """
    for rule in RULES:
        for fault in rule(graph):
            raise InvalidGraph(stage, rule.__name__, fault)
