# SPDX-License-Identifier: Apache-2.0
"""The table of models in stripes as measured: what a row says, who is above its bar, and how the page is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.bench.striped_page import main, striped_complaints, striped_differences, striped_table, with_striped_table

PAGE = Path("docs/tiles.md")


def record(model: str = "mcunet_any", arena_bytes: int = 2000, instructions: int = 10_500) -> dict[str, Any]:
    plain = {"arena_bytes": 4016, "steps": 9, "instructions": 10_000, "flash_bytes": 5000}
    striped = {"arena_bytes": arena_bytes, "steps": 70, "instructions": instructions, "flash_bytes": 5800}
    return {"model": model, "inputs_bytes": 300, "lower_bound_bytes": 4000, "plain": plain, "striped": striped}


def test_a_row_has_what_was_measured() -> None:
    *_, row = striped_table([record()])
    assert row == "| mcunet_any | 300 | 4,000 | 4,016 | 2,000 | 2,000 | 70 | 10,000 | 10,500 | 1.050 | +800 |"


@pytest.mark.parametrize(
    ("model", "instructions", "bars"),
    [("mcunet_any", 13_000, 0), ("mcunet_any", 13_010, 1), ("mlperf_ic_int8", 12_510, 1)],
)
def test_a_model_that_takes_too_many_instructions_is_told(model: str, instructions: int, bars: int) -> None:
    told = list(striped_complaints([record(model, instructions=instructions)]))
    assert len([each for each in told if "times its instructions" in each]) == bars


def test_the_bar_of_a_model_without_one_is_what_it_takes_as_it_is() -> None:
    *_, row = striped_table([record("other")])
    assert row.startswith("| other | 300 | 4,000 | 4,016 | 4,016 | 2,000 |")


def test_the_page_is_written_and_then_right() -> None:
    records = [record("b"), record("a")]
    written = with_striped_table(PAGE.read_text(encoding="utf-8"), records)
    assert list(striped_differences(written, records)) == []
    assert written.index("| a | ") < written.index("| b | ")
    assert with_striped_table(written, records) == written
    assert len(list(striped_differences(written, [record("a", 1999)]))) == 1


def test_the_rest_of_the_page_stays() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rest = [line for line in page.splitlines() if not line.startswith("| ")]
    written = with_striped_table(page, [record()])
    assert [line for line in written.splitlines() if not line.startswith("| ")] == rest


def test_a_page_that_is_out_of_date_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown, measured = tmp_path / "tiles.md", tmp_path / "a.json"
    measured.write_text(json.dumps(record()))
    shown.write_text(with_striped_table(PAGE.read_text(encoding="utf-8"), [record()]))
    assert main(["--check", str(measured), str(shown)]) == 0
    measured.write_text(json.dumps(record(arena_bytes=1990)))
    assert main(["--check", str(measured), str(shown)]) == 1
    assert "run ./bazelw run //tests/zoo:striped" in capsys.readouterr().err


def test_the_page_is_written_in_the_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, measured = tmp_path / "docs" / "tiles.md", tmp_path / "a.json"
    measured.write_text(json.dumps(record()))
    shown.parent.mkdir()
    shown.write_text(PAGE.read_text(encoding="utf-8"))
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(tmp_path))
    assert main([str(measured)]) == 0
    assert list(striped_differences(shown.read_text(encoding="utf-8"), [record()])) == []


def test_without_models_it_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 1
    assert "STOWAGE_ZOO" in capsys.readouterr().err
