# SPDX-License-Identifier: Apache-2.0
"""The rows of docs/zoo.md, and that a row that is no longer true is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.zoo import table

FIGURES: dict[str, Any] = {
    **{"weights_bytes": 4000, "arena_bytes": 900, "flash_bytes": 5000, "most_instructions": 70000},
    "outputs": [
        {"unit": "steps", "distances": [0.0, 2.0], "limits": [3.0, 3.0]},
        {"unit": "relative", "distances": [2e-7, 1e-6], "limits": [1e-5, 1e-5]},
    ],
}
SENTENCE = "the weights need 9 B, but region sram of board mps3_an547 has 5 B for them, 4 B too few; the largest are"


def records(**change: object) -> list[dict[str, Any]]:
    of = {"model": "kws", "form": "model.onnx"}
    return [
        {**of, "board": "host", **FIGURES},
        {**of, "board": "mps2_an386", **FIGURES, **change},
        {**of, "board": "mps3_an547", "refusal": "DoesNotFit", "sentence": SENTENCE},
    ]


def test_a_row_has_the_figures_of_all_boards() -> None:
    (row,) = table.rows(records())
    cells = "4,000 | 2 steps, 1.0e-06 | 900 | 5,000 | 70,000 |  | 4 B too few in sram | does not fit"
    assert row == f"| kws/model.onnx | {cells} |"


def test_the_check_finds_a_row_that_is_not_as_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "zoo.md"
    page.write_text(table.page(table.rows(records())))

    def check(measured: list[dict[str, Any]]) -> int:
        paths = [tmp_path / f"{record['board']}.json" for record in measured]
        for path, record in zip(paths, measured, strict=True):
            path.write_text(json.dumps(record))
        return table.main(["--check", *map(str, paths), str(page)])

    assert check(records()) == 0
    assert check(records(most_instructions=70001)) == 1
    assert "70,001" in capsys.readouterr().err
    assert check([record | {"model": "other"} for record in records()]) == 0
    assert "not in docs/zoo.md: | other/model.onnx |" in capsys.readouterr().out
