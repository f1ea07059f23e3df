# SPDX-License-Identifier: Apache-2.0
"""Writes the new figures of budgets that are broken into the BUILD file: `bazel run <the test>.accept`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.budget.build_file import NoSuchBudget, with_budget
from tools.budget.command_line import Request, parse
from tools.budget.gate import Item
from tools.budget.measure import NotMeasured, measure
from tools.budget.quantity import QuantityError


class NoWorkspace(Exception):
    """There is no BUILD file to write to; the message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    request = parse(__doc__, arguments)
    try:
        broken = [item for item in measure(request.firmware, request.limits) if not item.within]
        file = _build_file(request.test)
        _write(file, request, broken)
    except (NotMeasured, NoSuchBudget, NoWorkspace, QuantityError) as failure:
        print(f"stowage: {request.test}: {failure}", file=sys.stderr)
        return 1
    if not broken:
        print(f"All budgets of {request.test} are kept; nothing to accept.")
    for item in broken:
        print(f'{request.test}: {item.name} = "{request.written[item.name]}" is now "{item.used}"')
    return 0


def _write(file: Path, request: Request, broken: Sequence[Item]) -> None:
    """Writes all new figures, or none where one of them has no place."""
    text = file.read_text(encoding="utf-8")
    _, _, name = request.test.rpartition(":")
    for item in broken:
        text = with_budget(text, name, item.written_as, request.written[item.name], str(item.used))
    if broken:
        file.write_text(text, encoding="utf-8")


def _build_file(test: str) -> Path:
    """The file that declares the test, in the workspace from which Bazel was called."""
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if workspace is None:
        raise NoWorkspace("it is not known which workspace to write to; use bazel run")
    repository, _, rest = test.partition("//")
    package, _, _ = rest.partition(":")
    for name in ("BUILD.bazel", "BUILD"):
        if repository.strip("@") == "" and (file := Path(workspace, package, name)).is_file():
            return file
    raise NoWorkspace(f"its BUILD file is not in the workspace {workspace}")


if __name__ == "__main__":
    sys.exit(main())
