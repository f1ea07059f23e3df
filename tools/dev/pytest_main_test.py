# SPDX-License-Identifier: Apache-2.0
"""The test program's answers to Bazel: sharding, the filter, the reports. It runs in three shards itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("pytest_main.py")
FIVE_TESTS = (
    "import pytest\n\n@pytest.mark.parametrize('number', range(5))\ndef test_number(number): print('ran', number)\n"
)


def run(tmp_path: Path, text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program over one file of tests, in a folder that has its own settings."""
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    tests = tmp_path / "sample_test.py"
    tests.write_text(text)
    unset = (
        "TEST_SHARD_STATUS_FILE",
        "TEST_SHARD_INDEX",
        "TEST_TOTAL_SHARDS",
        "XML_OUTPUT_FILE",
        "TESTBRIDGE_TEST_ONLY",
    )
    variables = {name: value for name, value in os.environ.items() if name not in unset}
    variables |= {"TEST_TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)} | environment
    command = [sys.executable, str(PROGRAM), "-s", str(tests)]
    return subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)


def numbers_run(output: str) -> list[int]:
    """The parameters with which the sample test ran."""
    return [number for number in range(5) if f"ran {number}" in output]


@pytest.mark.parametrize("total", [2, 6])
def test_shards_run_every_test_once(tmp_path: Path, total: int) -> None:
    ran = []
    for index in range(total):
        shard = run(tmp_path, FIVE_TESTS, TEST_SHARD_INDEX=str(index), TEST_TOTAL_SHARDS=str(total))
        assert shard.returncode == 0, shard.stdout
        ran += numbers_run(shard.stdout)
    assert sorted(ran) == [0, 1, 2, 3, 4]


def test_shard_tells_bazel_that_it_shards(tmp_path: Path) -> None:
    status_file = tmp_path / "sharding"
    run(tmp_path, FIVE_TESTS, TEST_SHARD_STATUS_FILE=str(status_file))
    assert status_file.exists()


def test_filter_selects_by_expression(tmp_path: Path) -> None:
    assert numbers_run(run(tmp_path, FIVE_TESTS, TESTBRIDGE_TEST_ONLY="3 or 4").stdout) == [3, 4]


def test_report_is_written_where_bazel_asks(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    run(tmp_path, FIVE_TESTS, XML_OUTPUT_FILE=str(report))
    assert report.read_text().count("<testcase") == 5


def test_failing_test_fails_the_target(tmp_path: Path) -> None:
    assert run(tmp_path, "def test_no(): assert False\n").returncode == 1


def test_file_without_tests_fails_the_target(tmp_path: Path) -> None:
    assert run(tmp_path, "x = 1\n").returncode == 5
