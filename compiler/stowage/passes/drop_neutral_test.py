# SPDX-License-Identifier: Apache-2.0
"""What changes nothing goes, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.ops.combination import Where
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub, Tanh
from stowage.ir.ops.op import Op
from stowage.passes.drop_neutral import DROP_NEUTRAL
from stowage.passes.trial_graph import TrialGraph, after, assert_same_numbers, mnemonics


@pytest.mark.parametrize(
    ("op", "number", "place", "left"),
    [
        (Add(), 0, 0, []),
        (Add(), 0, 1, []),
        (Add(), 1, 1, ["add"]),
        (Add((0.0, 1.0)), 0, 1, ["add"]),
        (Sub(), 0, 1, []),
        (Sub(), 0, 0, ["sub"]),
        (Mul(), 1, 0, []),
        (Mul(), 0, 1, ["mul"]),
        (Div(), 1, 1, []),
        (Div(), 1, 0, ["div"]),
    ],
)
def test_neutral_numbers(op: Op, number: float, place: int, left: list[str]) -> None:
    trial = TrialGraph()
    operands = [trial.add(Tanh(), trial.input(2, 3))]
    operands.insert(place, trial.constant(np.full((1, 3), number, np.float32)))
    graph = trial.graph(trial.add(op, *operands))
    later = after(graph, DROP_NEUTRAL)
    assert mnemonics(later) == ["tanh", *left]
    assert_same_numbers(graph, later)


def test_a_number_that_widens_stays() -> None:
    trial = TrialGraph()
    graph = trial.graph(
        trial.add(Add(), trial.add(Tanh(), trial.input(1, 3)), trial.constant(np.zeros((2, 3), np.float32)))
    )
    assert mnemonics(after(graph, DROP_NEUTRAL)) == ["tanh", "add"]


@pytest.mark.parametrize(("condition", "left"), [([True, True], 0), ([False, False], 1), ([True, False], 2)])
def test_choices_that_are_made(condition: list[bool], left: int) -> None:
    trial = TrialGraph()
    values = [trial.add(op, trial.input(3, 2), trial.reals(2)) for op in (Mul(), Sub())]
    graph = trial.graph(trial.add(Where(), trial.constant(np.array(condition)), *values))
    later = after(graph, DROP_NEUTRAL)
    assert mnemonics(later) == [["mul"], ["sub"], ["mul", "sub", "where"]][left]
    assert_same_numbers(graph, later)
