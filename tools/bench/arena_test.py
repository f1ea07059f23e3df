# SPDX-License-Identifier: Apache-2.0
"""The tables of arenas: what a row says, that a page which is no longer true is found, and a model above its bar."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.bench import arena
from tools.bench.arena_page import differences, page
from tools.bench.arena_table import complaints, contest_table, model_row
from tools.bench.peers import read_peers

PAGE = Path("docs/arena.md")


def report(arena_bytes: int, **change: object) -> dict[str, Any]:
    figures = {"arena_bytes": arena_bytes, "lower_bound_bytes": arena_bytes - 16, "gap_bytes": 16}
    ports = {"inputs": [{"size_bytes": 490}], "outputs": [{"size_bytes": 12}]}
    saved = [{"technique": "every tensor for itself", "arena_bytes": 72658, "saved_bytes": 0}]
    return {**figures, **ports, "floor_without_sharing_bytes": 16000, "saved": saved, **change}


def five(**change: object) -> dict[str, dict[str, Any]]:
    """Reports of all five models at their bars."""
    return {f"{each.zoo}/model.onnx": report(each.bar_bytes) | change for each in read_peers()[0]}


def test_a_row_of_a_model() -> None:
    row = model_row("kws/model.onnx", report(8448))
    assert row == ["kws/model.onnx", "8,448", "8,432", "16", "16,000", "47.2 %", "72,658"]
    assert model_row("x", {"refusal": "DoesNotFit", "sentence": "no."}) == ["x", "DoesNotFit", "", "", "", "", ""]


def test_of_two_files_of_a_model_the_larger_counts_beside_the_peers() -> None:
    reports = {"mlperf_kws_int8/model.onnx": report(8000), "mlperf_kws_int8/model.tflite": report(8448)}
    rows = {row.split(" | ")[0]: row.split(" | ")[2] for row in contest_table(reports)}
    assert rows["| **Stowage**"] == "**8,448**"
    assert rows["| TensorFlow Lite Micro, activations"] == "16,000 (-47.2 %)"
    assert rows["| floor where one operator's output may run over its input"] == "8,384 (+0.8 %)"
    assert rows["| ST Edge AI, a variant of the model"] == "-"


def test_inputs_and_outputs_are_added_where_a_figure_is_without_them() -> None:
    """40,000 + 490 + 12, which 20,251 is half of."""
    reports = {"mlperf_kws_int8/model.onnx": report(20251)}
    (row,) = [row for row in contest_table(reports) if row.startswith("| IREE")]
    assert row.split(" | ")[2] == "40,000 + I/O (-50.0 %)"


def test_a_model_above_its_bar_or_the_floor_is_told() -> None:
    assert list(complaints(five(floor_without_sharing_bytes=99999))) == []
    reports = {"mlperf_kws_int8/model.onnx": report(8705)}
    assert list(complaints(reports)) == ["KWS takes 8,705 B, its bar is 8,704 B"]
    low = {"mlperf_kws_int8/model.onnx": report(8448, floor_without_sharing_bytes=8447)}
    assert list(complaints(low)) == ["KWS takes 8,448 B, its floor without sharing is 8,447 B"]


def test_the_check_finds_a_page_that_is_not_as_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = tmp_path / "arena.md"
    shown.write_text(page(five(floor_without_sharing_bytes=99999)))

    def check(**change: object) -> int:
        paths = []
        for name, each in five(**{"floor_without_sharing_bytes": 99999, **change}).items():
            paths.append(tmp_path / f"{name.split('/')[0]}.onnx.zoo" / "zoo_memory.json")
            paths[-1].parent.mkdir(exist_ok=True)
            paths[-1].write_text(json.dumps(each))
        return arena.main(["--check", *map(str, paths), str(shown)])

    assert check() == 0
    assert check(gap_bytes=8) == 1
    assert "docs/arena.md should have | mlperf_ad01_int8/model.onnx | 768 | 752 | 8 |" in capsys.readouterr().err
    shown.write_text(shown.read_text().replace("66,624", "66,625"))
    assert check() == 1


def test_the_page_is_of_today_s_program() -> None:
    assert list(differences(PAGE.read_text(encoding="utf-8"), {})) == []


def test_without_a_zoo_there_are_the_examples(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("STOWAGE_ZOO", raising=False)
    assert arena.main([]) == 0
    shown = capsys.readouterr()
    assert "\n| digits/digits_int8.onnx | " in shown.out and "| **Stowage** | **-** |" in shown.out
    assert "digits/digits_int8.onnx\n" in shown.err
