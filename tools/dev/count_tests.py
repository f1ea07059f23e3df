# SPDX-License-Identifier: Apache-2.0
"""Count test cases out of Bazel's build event files: `count_tests.py --events EVENTS.json --step NAME EXIT_CODE`.

Bazel reports each run of a test, with the file in which the test listed its cases. A run that failed without a failed
case (it crashed, or ran out of time) counts as one failed case, as does a target that could not be built, and a
Bazel that failed without blaming a target. A step is no test: it counts as one case, failed unless its exit code is 0.
"""

from __future__ import annotations

import argparse
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse


class Count(NamedTuple):
    """How many cases ended how."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def plus(self, other: Count) -> Count:
        """The sum of both."""
        return Count(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def __str__(self) -> str:
        """The closing line of a run."""
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def count_events(events: list[dict[str, Any]]) -> dict[str, Count]:
    """The count of every label: of a test's last attempt in each shard, and of what could not be built."""
    runs: dict[tuple[str, int, int], Count] = {}
    counts: dict[str, Count] = {}
    for event in events:
        if result := event["id"].get("testResult"):
            run = (result["label"], result.get("run", 0), result.get("shard", 0))
            runs[run] = _count_run(event.get("testResult", {}))
        elif (completed := event["id"].get("targetCompleted")) and not _is_built(event):
            counts[completed["label"]] = Count(failed=1)
    for (label, _, _), count in runs.items():
        counts[label] = counts.get(label, Count()).plus(count)
    if not _is_successful(events) and not any(count.failed for count in counts.values()):
        counts["Bazel itself"] = Count(failed=1)
    return counts


def _is_successful(events: list[dict[str, Any]]) -> bool:
    """Whether Bazel came to an end and called it a success."""
    codes = [event["finished"].get("exitCode", {}).get("code", 0) for event in events if "finished" in event]
    return codes == [0]


def _is_built(event: dict[str, Any]) -> bool:
    """Whether a target was built; one that was passed over, as it fits no platform asked for, counts as built."""
    is_complete = event.get("completed", {}).get("success") is True
    return is_complete or event.get("aborted", {}).get("reason") == "SKIPPED"


def _count_run(result: dict[str, Any]) -> Count:
    count = Count()
    for output in result.get("testActionOutput", []):
        if output["name"] == "test.xml":
            count = _count_report(Path(unquote(urlparse(output["uri"]).path)))
    if result.get("status") not in ("PASSED", "FLAKY") and count.failed == 0:
        return count.plus(Count(failed=1))
    return count


def _count_report(report: Path) -> Count:
    count = Count()
    for case in ElementTree.parse(report).iter("testcase"):
        outcomes = {child.tag for child in case}
        failed = bool(outcomes & {"failure", "error"})
        skipped = not failed and "skipped" in outcomes
        count = count.plus(Count(not failed and not skipped, failed, skipped))
    return count


def read_events(file: Path) -> list[dict[str, Any]]:
    """The events of a build event file, one a line; none if Bazel never wrote it."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def main(arguments: list[str]) -> int:
    """Print what failed, then the closing line; return 1 if anything failed or nothing passed."""
    parser = argparse.ArgumentParser(description="Count test cases out of Bazel's build event files.")
    parser.add_argument("--events", type=Path, action="append", default=[], help="a build event file")
    parser.add_argument("--step", nargs=2, action="append", default=[], metavar=("NAME", "EXIT_CODE"))
    options = parser.parse_args(arguments)
    counts = [item for file in options.events for item in sorted(count_events(read_events(file)).items())]
    counts += [(name, Count(passed=code == "0", failed=code != "0")) for name, code in options.step]
    total = Count()
    for name, count in counts:
        total = total.plus(count)
        if count.failed:
            print(f"FAILED {name}: {count}")
    print(total)
    return 0 if total.passed and not total.failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
