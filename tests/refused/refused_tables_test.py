# SPDX-License-Identifier: Apache-2.0
"""`stowage plan`: what it writes, and with what sentence it refuses tables and capacities."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from stowage import cli, plan_command
from stowage.memory.cut_problems import cut_problem
from tests.refused.command_line import TRACEBACK, stowage

TABLE = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n"
"""At each moment three buffers of four bytes at most."""


def saved(folder: Path, text: str = TABLE) -> Path:
    file = folder / "problem.csv"
    file.write_text(text)
    return file


def refusal(*arguments: str | Path) -> str:
    """The sentence with which `stowage plan` refuses, after checking that there is nothing but it."""
    done = stowage("plan", *arguments)
    assert TRACEBACK not in done.stderr, done.stderr
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.startswith("stowage: ") and done.stderr.endswith(".\n") and done.stderr.count("\n") == 1
    return done.stderr.removeprefix("stowage: ").removesuffix("\n")


@pytest.mark.parametrize("capacity", [(), ("--capacity", "12"), ("--capacity", "1MiB")])
def test_a_table_gets_offsets(capacity: tuple[str, ...], tmp_path: Path) -> None:
    done = stowage("plan", saved(tmp_path), *capacity)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        r"stowage: peak 12 B, lower bound 12 B, gap 0 B; 5 buffers, [0-9]+ places tried, [0-9.]+ s\n", done.stderr
    )
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["id"] for row in rows] == ["b1", "b2", "b3", "b4", "b5"]
    for moment in range(21):
        alive = [row for row in rows if int(row["lower"]) <= moment < int(row["upper"])]
        held = [byte for row in alive for byte in range(int(row["offset"]), int(row["offset"]) + int(row["size"]))]
        assert len(held) == len(set(held)) and max(held) < 12


def test_out_has_what_else_goes_to_standard_output(tmp_path: Path) -> None:
    table, out = saved(tmp_path), tmp_path / "made" / "offsets.csv"
    done = stowage("plan", table, "--out", out, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_text() == stowage("plan", table).stdout
    again = stowage("plan", out)
    assert (again.returncode, again.stdout) == (0, out.read_text())


def test_a_capacity_that_is_too_small(tmp_path: Path) -> None:
    table, out = saved(tmp_path), tmp_path / "offsets.csv"
    assert refusal(table, "--capacity", "11", "--out", out) == (
        f"{table}: it is proved that no placement of its 5 buffers takes less than 12 B, 1 B more than the capacity of "
        "11 B; give them 12 B, for which a placement was found, or make buffers smaller."
    )
    assert not out.exists()


def test_a_capacity_for_which_nothing_is_found_or_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = cut_problem(1, buffers=100, capacity_bytes=1 << 20, moments=400, left_out=10)
    rows = (f"{each.name},{each.first},{each.last + 1},{each.size_bytes}" for each in problem.buffers)
    table = saved(tmp_path, "\n".join(["id,lower,upper,size", *rows]))
    monkeypatch.setattr(plan_command, "LONG_WORK_LIMIT", 10)
    assert cli.main(["plan", str(table), "--capacity", "1MiB"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert re.fullmatch(
        r".*problem\.csv: no placement of its 100 buffers within the capacity of 1,048,576 B was found in [0-9,]+ "
        r"places tried, and it is not proved that there is none \(none takes less than [0-9,]+ B\); give them "
        r"1,[0-9,]+ B, for which a placement was found, or make buffers smaller\.\n",
        shown.err,
    )


REGIONS = "name,capacity,read_cost,write_cost\nfast,8,1,1\nslow,64,3,3\n"


def saved_regions(folder: Path, text: str = REGIONS) -> Path:
    file = folder / "regions.csv"
    file.write_text(text)
    return file


def test_a_table_gets_regions_and_offsets(tmp_path: Path) -> None:
    done = stowage("plan", saved(tmp_path), "--regions", saved_regions(tmp_path))
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        r"stowage: fast 8 of 8 B, slow 4 of 64 B; cost 56, lower bound 56, gap 0; "
        r"5 buffers, [0-9]+ branches, [0-9.]+ s\n",
        done.stderr,
    )
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["region"] for row in rows].count("slow") == 1
    again = tmp_path / "again.csv"
    again.write_text(done.stdout)
    assert stowage("plan", again, "--regions", saved_regions(tmp_path)).stdout == done.stdout


def test_regions_that_are_too_small(tmp_path: Path) -> None:
    table, regions = saved(tmp_path), saved_regions(tmp_path, "name,capacity\na,4\nb,4\n")
    assert refusal(table, "--regions", regions) == (
        f"{table}: regions a (4 B), b (4 B): no place for all 5 buffers was found, and it is proved that there is "
        "none; make a region larger, or buffers smaller."
    )


def test_a_buffer_that_no_region_holds(tmp_path: Path) -> None:
    table, regions = saved(tmp_path), saved_regions(tmp_path, "name,capacity\na,3\nb,2\n")
    assert refusal(table, "--regions", regions) == (
        f'{table}: buffer "b1": its 4 B are more than any region has in which it may lie (a, b); '
        "let it lie in a larger one, or make it smaller."
    )


def test_regions_that_are_none(tmp_path: Path) -> None:
    table, regions = saved(tmp_path), saved_regions(tmp_path, "name\na\n")
    assert refusal(table, "--regions", regions) == (
        f'{regions}: line 1: has no column "capacity"; begin with a header such as name,capacity.'
    )
    assert refusal(table, "--regions", saved_regions(tmp_path), "--capacity", "12") == (
        "--capacity: each region has its own; leave it out, or --regions."
    )


def test_a_capacity_that_is_no_size(tmp_path: Path) -> None:
    assert refusal(saved(tmp_path), "--capacity", "lots") == (
        '--capacity: "lots" is no size; write one such as 1048576 or 1MiB.'
    )


def test_a_broken_table(tmp_path: Path) -> None:
    table = saved(tmp_path, "id,lower,upper,size\nb1,0,3,4\nb2,3,2,4\n")
    assert refusal(table) == f"{table}: line 3: lower 3 is not below upper 2; give a life of one moment or more."


def test_a_missing_table(tmp_path: Path) -> None:
    table = tmp_path / "none.csv"
    assert refusal(table) == f"{table}: can't be read: No such file or directory; name a CSV file of buffers."


def test_an_output_that_cannot_be_written(tmp_path: Path) -> None:
    assert refusal(saved(tmp_path), "--quiet", "--out", tmp_path / "problem.csv" / "x").startswith(str(tmp_path))
