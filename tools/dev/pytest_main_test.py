# SPDX-License-Identifier: Apache-2.0
"""The test program's answers to Bazel: sharding, the filter, the reports, the exit code."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools.dev.pytest_main import Shard

PROGRAM = Path(__file__).with_name("pytest_main.py")
FIVE_TESTS = """\
import pytest

@pytest.mark.parametrize("number", range(5))
def test_number(number):
    print("ran", number)
"""


@pytest.mark.parametrize("total", [1, 2, 3, 7])
def test_shards_share_the_tests_out(total: int) -> None:
    shares, others = [], []
    for index in range(total):
        items: list[Any] = list("abcde")
        hook = SimpleNamespace(pytest_deselected=lambda items: others.extend(items))
        shard = Shard(index, total)
        shard.pytest_collection_modifyitems(SimpleNamespace(hook=hook), items)  # type: ignore[arg-type]
        assert shard.collected == 5
        shares.append(items)
    assert sorted(itertools.chain(*shares)) == list("abcde")
    assert len(others) == 5 * (total - 1)
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def run(tmp_path: Path, text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program over one file of tests, in a folder that has its own settings."""
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    tests = tmp_path / "sample_test.py"
    tests.write_text(text)
    given = ("TEST_", "XML_OUTPUT_FILE", "TESTBRIDGE_")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(given)}
    variables |= {"TEST_TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)} | environment
    command = [sys.executable, str(PROGRAM), "-s", str(tests)]
    return subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)


def test_shard_is_run_filtered_and_reported_as_bazel_asks(tmp_path: Path) -> None:
    status, report = tmp_path / "sharding", tmp_path / "report.xml"
    sharding = {"TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "2", "TEST_SHARD_STATUS_FILE": str(status)}
    asked = sharding | {"TESTBRIDGE_TEST_ONLY": "not 0", "XML_OUTPUT_FILE": str(report)}
    ran = run(tmp_path, FIVE_TESTS, **asked)
    assert ran.returncode == 0
    assert [number for number in range(5) if f"ran {number}" in ran.stdout] == [2, 4]
    assert report.read_text().count("<testcase") == 2
    assert status.exists()


def test_shard_without_tests_of_its_own_passes(tmp_path: Path) -> None:
    assert run(tmp_path, FIVE_TESTS, TEST_SHARD_INDEX="5", TEST_TOTAL_SHARDS="6").returncode == 0


def test_failing_test_fails_the_target(tmp_path: Path) -> None:
    assert run(tmp_path, "def test_no(): assert False\n").returncode == 1


def test_file_without_tests_fails_the_target(tmp_path: Path) -> None:
    assert run(tmp_path, "x = 1\n").returncode == 5
