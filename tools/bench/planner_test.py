# SPDX-License-Identifier: Apache-2.0
"""The table of the planner: instances that the project makes are solved at their capacity; what is not is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stowage.memory.cut_problems import cut_problem
from tools.bench import planner

CAPACITY = 1 << 20


def save(folder: Path, name: str, seed: int, buffers: int, left_out: int) -> None:
    problem = cut_problem(seed, buffers, CAPACITY, 4 * buffers, left_out)
    rows = (f"{each.name},{each.first},{each.last + 1},{each.size_bytes}" for each in problem.buffers)
    (folder / name).write_text("\n".join(["id,lower,upper,size", *rows]))


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_instances_are_solved_at_their_capacity(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(6):
        save(tmp_path, f"dense{seed}.{CAPACITY}.csv", seed, buffers=60, left_out=0)
        save(tmp_path, f"loose{seed}.{CAPACITY}.csv", seed, buffers=100, left_out=5)
    assert planner.main([str(tmp_path)]) == 0
    shown = capsys.readouterr()
    *rows, sums = map(cells, shown.out.splitlines()[2:])
    assert [row[0] for row in rows] == sorted(file.name for file in tmp_path.iterdir())
    assert {(row[2], row[4]) for row in rows} == {("1,048,576", "yes")}
    assert all(int(row[3].replace(",", "")) <= CAPACITY for row in rows)
    assert any(int(row[6].replace(",", "")) > 1_000 for row in rows), "none of them is hard"
    assert sums[:2] == ["12 of 12", str(6 * 60 + 6 * 100)]
    assert "stowage: 12 of 12: loose5.1048576.csv\n" in shown.err


def test_what_is_not_solved_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(tmp_path, "tight.csv", seed=1, buffers=100, left_out=10)
    assert planner.main([str(tmp_path), "--capacity", str(CAPACITY), "--work", "10"]) == 1
    row, sums = map(cells, capsys.readouterr().out.splitlines()[2:])
    assert row[:3] == ["tight.csv", "100", "1,048,576"] and row[4] == "no"
    assert int(row[3].replace(",", "")) > CAPACITY
    assert sums[0] == "0 of 1"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, r"stowage: .*: holds no CSV file; name a folder of problems\.\n"),
        ({"x.csv": "id"}, r"stowage: .*x\.csv: its name has no capacity; give --capacity, or a name such as A\..*\n"),
        ({"x.9.csv": "id"}, r'stowage: 1 of 1: x\.9\.csv\nstowage: .*x\.9\.csv: line 1: has no column "lower"; .*\n'),
    ],
)
def test_folders_that_are_none(
    files: dict[str, str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert planner.main([str(tmp_path)]) == 1
    assert re.fullmatch(sentence, capsys.readouterr().err)
