# SPDX-License-Identifier: Apache-2.0
"""A model that its board has no room for runs in stripes as far as that helps; else the refusal has the least."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from stowage.errors import DoesNotFit
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.report.memory_record import memory_record
from stowage.report.memory_report import memory_text
from stowage.target.board import Npu, Role
from stowage.target.find_board import find_board
from stowage.target.target import Target

DIGITS = ModelRequest(Path("examples/digits/digits_int8.onnx"))


def board(capacity_bytes: int, npu: Npu | None = None) -> Target:
    target = find_board("nrf52")
    region = replace(target.preferred(Role.ARENA), capacity_bytes=capacity_bytes)
    return replace(target, roles={**target.roles, Role.ARENA: (region,)}, npu=npu)


@pytest.fixture(scope="module")
def plain() -> Compiled:
    return compile_model(DIGITS, find_board("nrf52"))


def test_what_fits_is_as_it_is(plain: Compiled) -> None:
    fitting = compile_model(DIGITS, board(plain.plan.arena_bytes))
    assert fitting.tiling == () and fitting.sources == plain.sources
    assert memory_record(fitting)["without_stripes"] is None


def test_what_does_not_fit_runs_in_stripes_and_the_report_says_at_which_cost(plain: Compiled) -> None:
    capacity_bytes = plain.plan.arena_bytes - 1
    seen: list[str] = []
    compiled = compile_model(DIGITS, board(capacity_bytes), lambda stage, level: seen.append(stage))
    assert compiled.tiling and compiled.plan.arena_bytes <= capacity_bytes
    assert seen.index("stripes") < len(seen) - 1 - seen[::-1].index("schedule") < seen.index("plan")
    record = memory_record(compiled)
    without = record["without_stripes"]
    assert without["arena_bytes"] == plain.plan.arena_bytes
    assert without["estimated_instructions"] < without["estimated_instructions_in_stripes"]
    assert f"layer by layer it takes {plain.plan.arena_bytes:,} B; +" in memory_text(record)


def test_it_is_what_the_limit_gives(plain: Compiled) -> None:
    capacity_bytes = plain.plan.arena_bytes - 1
    limited = compile_model(replace(DIGITS, ram_bytes=capacity_bytes), find_board("nrf52"))
    assert compile_model(DIGITS, board(capacity_bytes)).sources == limited.sources


def test_a_refusal_says_the_least_that_was_reached() -> None:
    with pytest.raises(DoesNotFit) as refusal:
        compile_model(DIGITS, board(300))
    told = re.search(
        r'region sram of board nrf52 has 300 B for it, [\d,]+ B too few; .*in stripes of rows \(ram = "(\d+)"\)',
        str(refusal.value),
    )
    assert told
    assert compile_model(DIGITS, board(int(told[1]))).plan.arena_bytes <= int(told[1])


def test_beside_an_npu_it_is_refused_and_without_it_runs_in_stripes() -> None:
    npu = find_board("mps2_an521_npu").npu
    with pytest.raises(DoesNotFit):
        compile_model(DIGITS, board(50, npu))
    without = compile_model(replace(DIGITS, npu=False), board(700, npu))
    assert without.tiling and without.plan.arena_bytes <= 700


@pytest.mark.parametrize("request_", [replace(DIGITS, ram_bytes=786), replace(DIGITS, stream_input=True)])
def test_what_was_told_its_memory_is_refused(request_: ModelRequest) -> None:
    with pytest.raises(DoesNotFit, match="region sram of board nrf52 has 300 B for it"):
        compile_model(request_, board(300))
