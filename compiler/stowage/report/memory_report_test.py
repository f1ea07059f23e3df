# SPDX-License-Identifier: Apache-2.0
"""The memory report says what of the arena is kept between runs, and where."""

from __future__ import annotations

import json
from dataclasses import replace

from stowage.codegen.assemble import assemble
from stowage.codegen.golden_model import delay_graph, plan_of
from stowage.report.memory_report import memory_json, memory_text

PLAN = plan_of(delay_graph(), {"before:0": "now:0"})
PROGRAM = assemble(PLAN)


def test_states_are_told_with_their_places() -> None:
    record = json.loads(memory_json(PLAN, PROGRAM))
    (state,) = record["states"]
    assert (state["name"], state["output"], state["size_bytes"]) == ("before_0", "now:0", 8)
    (buffer,) = [each for each in record["buffers"] if each["name"] == "before:0"]
    assert (buffer["offset_bytes"], buffer["first_step"], buffer["last_step"]) == (
        state["offset_bytes"],
        "inputs",
        "outputs",
    )
    assert [port["name"] for port in (*record["inputs"], *record["outputs"])] == ["x", "difference"]


def test_people_are_told_of_states_where_there_are_some() -> None:
    line = "  states                8 B   of the arena, kept between runs: before_0"
    assert line in memory_text(PLAN, PROGRAM).splitlines()
    assert "states" not in memory_text(PLAN, replace(PROGRAM, states=()))
