# SPDX-License-Identifier: Apache-2.0
"""The page on new boards is followed to the letter: its files are the board's, its lines are where it says they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stowage.target.board_reader import load_board
from stowage.target.readme_table import with_readme_table

PAGE = Path("docs/porting.md").read_text()
_PART = re.compile(r"(In )?`([\w./]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BOARD = Path("boards/mps2_an385")
PARTS = [(bool(within), Path(file), text) for within, file, text in _PART.findall(PAGE)]
WHOLE = [(file, text) for within, file, text in PARTS if not within]
LINES = [(file, text) for within, file, text in PARTS if within]


def test_every_part_is_of_a_file() -> None:
    """Blocks of files and lines have a language; those without one are commands."""
    assert len(re.findall(r"^```\w+$", PAGE, re.MULTILINE)) == len(PARTS)
    assert [file for file, _ in WHOLE] == [BOARD / name for name in ("board.textproto", "BUILD.bazel", "README.md")]
    assert len(LINES) == 12


@pytest.mark.parametrize(("file", "text"), WHOLE, ids=lambda each: str(each) if isinstance(each, Path) else "")
def test_a_file_is_as_it_is_written_there(file: Path, text: str) -> None:
    if file.name == "README.md":
        text = with_readme_table(text, str(file), load_board(BOARD / "board.textproto"))
    assert file.read_text() == text


@pytest.mark.parametrize(("file", "text"), LINES, ids=lambda each: str(each) if isinstance(each, Path) else "")
def test_a_line_is_where_it_says(file: Path, text: str) -> None:
    assert file.read_text().count(text) == 1


def test_commands_come_in_their_order() -> None:
    commands = re.findall(r"^```\n(\./.*)\n```$", PAGE, re.MULTILINE)
    assert commands == ["./bazelw run //boards:update", "./bazelw test //boards/mps2_an385/..."]


def test_the_board_is_in_the_suite() -> None:
    """`./bazelw test //boards/...` runs it, and continuous integration all that there is."""
    build = (BOARD / "BUILD.bazel").read_text()
    assert {"hal_conformance_test(", "examples_on_board("} <= set(re.findall(r"^\w+\(", build, re.MULTILINE))
