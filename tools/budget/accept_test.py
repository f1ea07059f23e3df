# SPDX-License-Identifier: Apache-2.0
"""Accepting new figures: what is broken is written, all of it or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.budget import accept
from tools.budget.gate import Item
from tools.budget.measure import NotMeasured

BUILD = 'stowage_budget_test(\n    name = "b",\n    flash = "14KiB",\n    ram = "8KiB",\n    stack = "1KiB",\n)\n'
FILES = ["--elf", "e", "--board", "b", "--objdump", "o", "--qemu", "q", "--execution", "x", "--firmware", "//app:fw"]
BUDGETS = ["--flash", "14KiB", "--ram", "8KiB", "--stack", "1KiB"]
ITEMS = (
    Item("flash", 14337, 14336, "B", (), ()),
    Item("ram", 8192, 8192, "B", (), ()),
    Item("stack", 1032, 1024, "B", (), ()),
    Item("instructions", 5, None, "instructions", (), ()),
)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(accept, "measure", lambda *_: ITEMS)
    file = tmp_path / "app" / "BUILD.bazel"
    file.parent.mkdir()
    file.write_text(BUILD)
    return file


def _run(test: str = "//app:b", budgets: list[str] = BUDGETS) -> int:
    return accept.main(["--test", test, *FILES, *budgets])


def test_broken_budgets_are_written_and_kept_ones_stay(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run() == 0
    assert build.read_text() == BUILD.replace("14KiB", "14337").replace("1KiB", "1032")
    assert capsys.readouterr().out == (
        '//app:b: flash = "14KiB" is now "14337"\n//app:b: stack = "1KiB" is now "1032"\n'
    )


def test_the_budget_of_a_region_is_written_by_its_name(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = BUILD.replace('    ram = "8KiB",\n', '    ram_in = {"dtcm": "2KiB"},\n')
    build.write_text(text)
    monkeypatch.setattr(accept, "measure", lambda *_: (Item("ram in dtcm", 2049, 2048, "B", (), ()),))
    assert _run(budgets=["--ram-in", "dtcm=2KiB"]) == 0
    assert build.read_text() == text.replace("2KiB", "2049")


def test_a_file_named_build_serves_too(build: Path) -> None:
    old_name = build.rename(build.with_name("BUILD"))
    assert _run() == 0
    assert '"14337"' in old_name.read_text()


def test_nothing_is_written_where_one_figure_has_no_place(build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(budgets=["--flash", "14KiB", "--stack", "2KiB"]) == 1
    assert build.read_text() == BUILD
    assert 'stowage: //app:b: stack = "2KiB" is nowhere' in capsys.readouterr().err


def test_there_may_be_nothing_to_accept(
    build: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(accept, "measure", lambda *_: ITEMS[1:2])
    assert _run() == 0
    assert build.read_text() == BUILD
    assert capsys.readouterr().out == "All budgets of //app:b are kept; nothing to accept.\n"


@pytest.mark.parametrize("test", ["//other:b", "@stowage//app:b", "@@stowage~//app:b"])
def test_a_test_of_another_place_is_refused(build: Path, capsys: pytest.CaptureFixture[str], test: str) -> None:
    assert _run(test) == 1
    assert "its BUILD file is not in the workspace" in capsys.readouterr().err


def test_it_has_to_be_run_by_bazel(
    build: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("BUILD_WORKSPACE_DIRECTORY")
    assert _run() == 1
    assert "use bazel run" in capsys.readouterr().err


def test_what_cannot_be_measured_is_not_accepted(
    build: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> tuple[Item, ...]:
        raise NotMeasured("the image has no code")

    monkeypatch.setattr(accept, "measure", fail)
    assert _run() == 1
    assert build.read_text() == BUILD
    assert capsys.readouterr().err == "stowage: //app:b: the image has no code\n"
