# SPDX-License-Identifier: Apache-2.0
"""The closing line of continuous integration, from event files as Bazel writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.dev.count_tests import Count, count_events, main

GOOD, BAD, SKIPPED = "<testcase/>", "<testcase><failure/></testcase>", "<testcase><skipped/></testcase>"
ERROR = "<testcase><error/></testcase>"
SUCCESS = {"id": {"buildFinished": {}}, "finished": {"exitCode": {"name": "SUCCESS"}}}


def failure(code: int) -> dict[str, Any]:
    """Bazel's last word where something went wrong."""
    return {"id": {"buildFinished": {}}, "finished": {"exitCode": {"code": code}}}


class Events:
    """Makes events whose reports lie in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._reports = folder, 0

    def result(self, label: str, status: str, cases: str | None, shard: int = 1, attempt: int = 1) -> dict[str, Any]:
        """A run of a test, with a report of these cases, or with none."""
        outputs = [{"name": "test.log", "uri": "file:///nowhere"}]
        if cases is not None:
            self._reports += 1
            report = self._folder / f"report of {self._reports}.xml"
            report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
            outputs.append({"name": "test.xml", "uri": report.as_uri()})
        run = {"label": label, "run": 1, "shard": shard, "attempt": attempt}
        return {"id": {"testResult": run}, "testResult": {"status": status, "testActionOutput": outputs}}


@pytest.fixture
def events(tmp_path: Path) -> Events:
    return Events(tmp_path)


def completed(label: str, **outcome: Any) -> dict[str, Any]:
    """The end of a target's build."""
    return {"id": {"targetCompleted": {"label": label}}, **outcome}


def test_cases_of_all_shards_count(events: Events) -> None:
    shards = [
        events.result("//a", "PASSED", GOOD * 2, shard=1),
        events.result("//a", "PASSED", GOOD + SKIPPED, shard=2),
    ]
    assert count_events([*shards, SUCCESS]) == {"//a": Count(passed=3, skipped=1)}


def test_failed_cases_count(events: Events) -> None:
    assert count_events([events.result("//a", "FAILED", GOOD + BAD + ERROR), failure(3)]) == {"//a": Count(1, 2)}


def test_last_attempt_counts(events: Events) -> None:
    attempts = [events.result("//a", "FAILED", BAD, attempt=1), events.result("//a", "FLAKY", GOOD, attempt=2)]
    assert count_events([*attempts, SUCCESS]) == {"//a": Count(1)}


@pytest.mark.parametrize("cases", [None, "", GOOD])
def test_run_that_failed_without_a_failed_case_counts_as_one(events: Events, cases: str | None) -> None:
    (count,) = count_events([events.result("//a", "TIMEOUT", cases), failure(3)]).values()
    assert count.failed == 1


@pytest.mark.parametrize("outcome", [{"completed": {}}, {"aborted": {"reason": "ANALYSIS_FAILURE"}}])
def test_target_that_is_not_built_counts_as_failed(outcome: dict[str, Any]) -> None:
    assert count_events([completed("//a", **outcome), failure(1)]) == {"//a": Count(failed=1)}


@pytest.mark.parametrize("outcome", [{"completed": {"success": True}}, {"aborted": {"reason": "SKIPPED"}}])
def test_target_that_is_built_or_passed_over_is_no_case(outcome: dict[str, Any]) -> None:
    assert count_events([completed("//a", **outcome), SUCCESS]) == {}


@pytest.mark.parametrize("ends", [[], [failure(37)]])
def test_bazel_that_fails_without_blaming_a_target_counts_as_failed(events: Events, ends: list[Any]) -> None:
    assert count_events([events.result("//a", "PASSED", GOOD), *ends])["Bazel itself"] == Count(failed=1)


def closing(tmp_path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code and the last line."""
    code = main([argument.replace("FOLDER", str(tmp_path)) for argument in arguments])
    return code, capsys.readouterr().out.splitlines()[-1]


def test_closing_line_adds_files_and_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str], events: Events) -> None:
    lines = [json.dumps(event) for event in (events.result("//a", "PASSED", GOOD + SKIPPED), SUCCESS)]
    (tmp_path / "one.json").write_text("\n".join(lines))
    arguments = ["--events", "FOLDER/one.json", "--step", "x", "0"]
    assert closing(tmp_path, capsys, *arguments) == (0, "2 passed, 0 failed, 1 skipped")
    assert closing(tmp_path, capsys, *arguments, "--step", "y", "7") == (1, "2 passed, 1 failed, 1 skipped")


def test_missing_event_file_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert closing(tmp_path, capsys, "--events", "FOLDER/none.json", "--step", "x", "0") == (1, "1 passed, 1 failed")


def test_nothing_passed_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert closing(tmp_path, capsys) == (1, "0 passed, 0 failed")
