# SPDX-License-Identifier: Apache-2.0
"""The table of the benchmark has every stage; how many seconds it shows is nobody's business here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stowage.target.find_board import find_board
from tools.bench.compile import STAGES, main, table

DIGITS = Path("examples/digits/digits_int8.onnx")
BRANCHES = Path("examples/branches/branches_f32.onnx")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_row_has_the_seconds_of_every_stage() -> None:
    head, _, row, total, slowest = map(cells, table([DIGITS], find_board("host")))
    assert head == ["model", "nodes", *STAGES, "all"]
    assert row[0] == "digits/digits_int8.onnx" and int(row[1]) > 10
    assert all(re.fullmatch(r"\d+\.\d\d", cell) for cell in row[2:])
    assert row[2:] == total[2:] == slowest[2:]
    assert float(row[-1]) > 0


def test_a_refused_model_says_so() -> None:
    lines = list(table([BRANCHES], find_board("microbit")))
    assert cells(lines[2])[0] == "branches/branches_f32.onnx (DoesNotFit)"


def test_without_models_there_is_nothing_to_measure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("STOWAGE_ZOO", raising=False)
    assert main([]) == 1
    assert "STOWAGE_ZOO" in capsys.readouterr().err
