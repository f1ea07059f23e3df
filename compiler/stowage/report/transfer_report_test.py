# SPDX-License-Identifier: Apache-2.0
"""The timeline of a model with prefetch: its figures agree with each other, and a trace viewer finds them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.report.memory_record import memory_record
from stowage.report.transfer_report import transfer_files
from stowage.target.find_board import find_board

ROOT = Path(__file__).parents[3]
DIGITS = ROOT / "examples" / "digits" / "digits_int8.onnx"
SLOW = str(ROOT / "tests" / "transfers" / "slow_weights.textproto")


def files(board: str) -> dict[str, str]:
    return transfer_files(compile_model(ModelRequest(DIGITS, "digits", prefetch=True), find_board(board)))


@pytest.fixture(scope="module")
def slow() -> dict[str, str]:
    return files(SLOW)


def test_the_figures_agree(slow: dict[str, str]) -> None:
    record = json.loads(slow["digits_transfers.json"])
    moving = sum(each["moved_to"] - each["moved_from"] for each in record["transfers"])
    assert record["transfer_cost"] == moving == 5 * record["transferred_bytes"], "read at cost 4, written at 1"
    assert record["stall_cost"] == sum(each["stall_cost"] for each in record["transfers"])
    assert record["hidden_share"] == pytest.approx(1 - record["stall_cost"] / moving)
    assert 0.9 <= record["hidden_share"] < 1 == record["hidden_share_after_first"]
    steps = record["steps"]
    running = sum(each["to"] - each["from"] for each in steps)
    assert record["run_cost"] == steps[-1]["to"] == running + record["stall_cost"] < record["run_cost_without"]


def test_the_readers_of_a_copy_are_told() -> None:
    """Four stripes of a layer; the limit leaves room for its weights alone."""
    compiled = compile_model(ModelRequest(DIGITS, "digits", prefetch=True, ram_bytes=700), find_board(SLOW))
    made = transfer_files(compiled)
    (copy,) = json.loads(made["digits_transfers.json"])["transfers"]
    assert copy["read_by"] == [compiled.schedule.steps[moment - 1].node.name for moment in (1, 2, 4, 5)]
    assert ", read by 4 steps\n" in made["digits_transfers.txt"]


def test_the_text_tells_the_share(slow: dict[str, str]) -> None:
    share = json.loads(slow["digits_transfers.json"])["hidden_share"]
    assert f"{100 * share:.1f} % of it hidden by steps" in slow["digits_transfers.txt"]


def test_the_trace_has_a_row_for_the_core_and_one_for_dma(slow: dict[str, str]) -> None:
    events: list[dict[str, Any]] = json.loads(slow["digits_transfers.trace.json"])["traceEvents"]
    names = {each["tid"]: each["args"]["name"] for each in events if each["ph"] == "M"}
    assert sorted(names.values()) == ["DMA", "core"]
    for thread in names:
        spans = [each for each in events if each["ph"] == "X" and each["tid"] == thread]
        assert len(spans) >= 5
        assert all(each["dur"] > 0 for each in spans)
        assert all(one["ts"] + one["dur"] <= other["ts"] for one, other in pairwise(spans))


def test_the_page_has_a_span_for_each_step_and_each_copy(slow: dict[str, str]) -> None:
    page, record = slow["digits_transfers.html"], json.loads(slow["digits_transfers.json"])
    assert page.count('class="buffer tensor"') == len(record["steps"])
    assert page.count('class="buffer staged"') == len(record["transfers"])
    assert f"{100 * record['hidden_share']:.1f} %" in page
    assert "<script" not in page and "http" not in page.replace("http-equiv", "")


def test_the_memory_report_knows_what_is_brought() -> None:
    compiled = compile_model(ModelRequest(DIGITS, "digits", prefetch=True), find_board(SLOW))
    record = memory_record(compiled)
    staged = {each["name"] for each in record["buffers"] if each["kind"] == "staged"}
    assert staged == {each.buffer for each in compiled.schedule.transfers}
    (ahead,) = [each for each in record["saved"] if each["technique"] == "weights ahead of steps"]
    assert ahead["saved_bytes"] < 0, "the arena grows for it"


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ("nrf52", "the board has no DMA controller: weights are read where they lie"),
        ("mps2_an505", "none pays: weights are read from ssram1 (cost 1 a byte)"),
    ],
)
def test_a_board_where_nothing_is_brought_says_why(board: str, sentence: str) -> None:
    made = files(board)
    assert sentence in made["digits_transfers.txt"]
    assert json.loads(made["digits_transfers.json"])["hidden_share"] is None
