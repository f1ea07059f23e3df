# SPDX-License-Identifier: Apache-2.0
"""Test support: compiles generated C on the host as strictly as the boards' toolchains do, and runs it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_RUNTIME_INCLUDE = Path(__file__).absolute().parents[3] / "runtime" / "include"
_LANGUAGE = ("-std=c99", "-pedantic-errors", "-O1", "-ffp-contract=off")
_WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-Wstrict-prototypes", "-Werror")


def compile_c(folder: Path, files: Mapping[str, str], *options: str) -> Path:
    """Writes sources and headers into a folder and compiles them; returns what was made.

    Args:
        folder: an empty folder.
        files: texts by file name.
        options: further options, "-c" among them where there is no main.

    Raises:
        AssertionError: the compiler complained.
    """
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    sources = [name for name in files if name.endswith(".c")]
    made = [] if "-c" in options else ["-o", "program"]
    command = [os.environ.get("CC", "cc"), *_LANGUAGE, *_WARNINGS, f"-I{_RUNTIME_INCLUDE}", *options, *sources, *made]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[:8000]}"
    return folder / "program"


def output_of(program: Path) -> bytes:
    """What a compiled program prints."""
    return subprocess.run([program], capture_output=True, check=True).stdout
