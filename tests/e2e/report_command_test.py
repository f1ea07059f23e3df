# SPDX-License-Identifier: Apache-2.0
"""`stowage report`: on standard output, into a file of one form, or into a folder for all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stowage.cli import main

ROOT = Path(__file__).parents[2]
DIGITS = ("report", str(ROOT / "examples/digits/digits_int8.onnx"), "--board", "nrf52", "--quiet")


def test_text_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(DIGITS) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("Memory of digits_int8 on board nrf52\n  arena ") and shown.err == ""
    for part in ("regions:", "arena, by technique:", "what would make the arena smaller:", "buffers, by offset:"):
        assert f"\n  {part}\n" in shown.out


def test_json_goes_there_and_progress_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIGITS[:-1], "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["board"] == "nrf52"


def test_a_file_has_the_form_that_its_name_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIGITS, "--out", str(tmp_path / "digits.json")]) == 0
    assert json.loads((tmp_path / "digits.json").read_text())["model"] == "digits_int8"
    assert [path.name for path in tmp_path.iterdir()] == ["digits.json"]
    assert capsys.readouterr().out == ""


def test_a_folder_has_all_forms_as_compile_writes_them(tmp_path: Path) -> None:
    reported, compiled = tmp_path / "reported", tmp_path / "compiled"
    assert main([*DIGITS, "--out", str(reported)]) == 0
    assert main(["compile", *DIGITS[1:], "--out", str(compiled)]) == 0
    names = {path.name for path in compiled.glob("*_memory.*")}
    assert {path.name for path in reported.iterdir()} == names >= {"digits_int8_memory.txt", "digits_int8_memory.json"}
    assert all((reported / name).read_bytes() == (compiled / name).read_bytes() for name in names)


def test_a_place_and_a_form_of_standard_output_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as usage:
        main([*DIGITS, "--format", "json", "--out", "digits.json"])
    assert usage.value.code == 2
    assert "not allowed with argument" in capsys.readouterr().err


def test_a_model_that_does_not_fit_has_no_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    branches = str(ROOT / "examples/branches/branches_f32.onnx")
    assert main(["report", branches, "--board", "microbit", "--quiet", "--out", str(tmp_path / "b.txt")]) == 1
    assert "B too few" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_estimate_of_int8_is_near_what_int8_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """The example comes in both forms; int8 kernels have scratch that float ones do without."""
    arenas = {}
    for form in ("f32", "int8"):
        model = str(ROOT / f"examples/branches/branches_{form}.onnx")
        assert main(["report", model, "--board", "host", "--quiet", "--format", "json"]) == 0
        arenas[form] = json.loads(capsys.readouterr().out)
    (estimate,) = [each for each in arenas["f32"]["advice"]["changes"] if "int8" in each["change"]]
    assert abs(estimate["arena_bytes"] / arenas["int8"]["arena_bytes"] - 1) < 0.1
