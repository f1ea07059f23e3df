# SPDX-License-Identifier: Apache-2.0
"""`stowage compile` in a process of its own, and what a refusal of it looks like."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TRACEBACK = "Traceback"


def stowage(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the command line to its end."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "stowage.cli", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def refusal(model: Path, board: str | Path, out: Path, *more: str | Path) -> str:
    """The sentence with which a compilation is refused, after checking that there is nothing but it.

    That is: exit status 1, one line on standard error, nothing on standard output, no traceback, and an output folder
    that was neither made nor changed.
    """
    before = snapshot(out)
    done = stowage("compile", model, "--board", board, "--out", out, "--quiet", *more)
    assert TRACEBACK not in done.stderr, done.stderr
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.startswith("stowage: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.endswith(".\n"), done.stderr
    assert snapshot(out) == before, done.stderr
    return done.stderr.removeprefix("stowage: ").removesuffix("\n")


def snapshot(folder: Path) -> dict[str, bytes] | None:
    """Every file below a folder with its content; None where there is no folder."""
    if not folder.is_dir():
        return None
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
