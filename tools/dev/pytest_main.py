# SPDX-License-Identifier: Apache-2.0
"""The program of every pytest_test: pytest, told what Bazel's test runner asks for through the environment."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


class Shard:
    """Keeps every n-th test function, for Bazel's test sharding."""

    def __init__(self, index: int, total: int) -> None:
        self._index, self._total = index, total
        self.collected = 0

    @pytest.hookimpl(trylast=True)  # what the filter leaves over is what is shared out
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect the other shards' functions."""
        self.collected = len(items)
        others = [item for position, item in enumerate(items) if position % self._total != self._index]
        config.hook.pytest_deselected(items=others)
        items[:] = items[self._index :: self._total]


def shard_from_environment() -> Shard:
    """The shard that Bazel asks for; the whole where it asks for none."""
    if status_file := os.environ.get("TEST_SHARD_STATUS_FILE"):
        Path(status_file).touch()
    return Shard(int(os.environ.get("TEST_SHARD_INDEX", 0)), int(os.environ.get("TEST_TOTAL_SHARDS", 1)))


def arguments_from_environment() -> list[str]:
    """pytest's arguments for the temporary folder, the XML report and the filter that Bazel names."""
    arguments = ["-c", "pyproject.toml", "--rootdir=.", "-p", "no:cacheprovider"]
    if temporary := os.environ.get("TEST_TMPDIR"):
        arguments.append(f"--basetemp={temporary}/pytest")
    if report := os.environ.get("XML_OUTPUT_FILE"):
        arguments.append(f"--junitxml={report}")
    if expression := os.environ.get("TESTBRIDGE_TEST_ONLY"):
        arguments += ["-k", expression]
    return arguments


def main() -> int:
    """Run pytest over the files named on the command line, and return its exit code."""
    # Hypothesis then takes its profile for continuous integration: the same examples every time, and no deadline.
    os.environ["CI"] = "true"
    shard = shard_from_environment()
    code = pytest.main([*arguments_from_environment(), *sys.argv[1:]], plugins=[shard])
    others_have_all = code == pytest.ExitCode.NO_TESTS_COLLECTED and shard.collected > 0
    return 0 if others_have_all else int(code)


if __name__ == "__main__":
    sys.exit(main())
