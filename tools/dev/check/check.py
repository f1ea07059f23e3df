# SPDX-License-Identifier: Apache-2.0
"""`./bazelw run //tools/dev:check` compares every source with how this repository writes its language.

Python: ruff's layout and lint, mypy's strict types. C: clang-format. Starlark: starlark.py. With `-- --fix`, what a
tool can mend by itself is mended first. Exit code 1 on any finding.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import clang_format

from tools.dev.check.sources import find_sources
from tools.dev.check.starlark import check_starlark


def run(workspace: Path, *command: str | Path, environment: dict[str, str] | None = None) -> bool:
    """Run a tool in the workspace; its findings go to the screen. True if there are none."""
    return subprocess.run(command, cwd=workspace, env=environment).returncode == 0


def check_python_layout(workspace: Path, fix: bool, ruff: Path) -> bool:
    """ruff's formatter and linter."""
    files = find_sources(workspace, "python")
    in_layout = run(workspace, ruff, "format", *([] if fix else ["--check"]), *files)
    return run(workspace, ruff, "check", *(["--fix"] if fix else []), *files) and in_layout


def check_python_types(workspace: Path) -> bool:
    """mypy, strict as pyproject.toml says."""
    # mypy looks for packages where its own Python finds them: on the path of this program.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if "site-packages" in path)}
    return run(workspace, sys.executable, "-m", "mypy", *find_sources(workspace, "python"), environment=environment)


def check_c_layout(workspace: Path, fix: bool) -> bool:
    """clang-format."""
    program = clang_format.get_executable("clang-format")
    return run(workspace, program, *(["-i"] if fix else ["--dry-run", "-Werror"]), *find_sources(workspace, "c"))


def check_starlark_conventions(workspace: Path) -> bool:
    """The conventions of starlark.py."""
    clean = True
    for file in find_sources(workspace, "starlark"):
        for finding in check_starlark(file, (workspace / file).read_text()):
            print(f"{file}:{finding.line}: {finding.wrong}")
            clean = False
    return clean


def main() -> int:
    """Run every check, say how each went, and return the exit code."""
    parser = argparse.ArgumentParser(description="Compare every source with how this repository writes its language.")
    parser.add_argument("--fix", action="store_true", help="first mend what the tools can mend")
    parser.add_argument("--ruff", type=Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    workspace = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    clean = {
        "Python layout and lint": check_python_layout(workspace, arguments.fix, arguments.ruff.absolute()),
        "Python types": check_python_types(workspace),
        "C layout": check_c_layout(workspace, arguments.fix),
        "Starlark conventions": check_starlark_conventions(workspace),
    }
    for title, is_clean in clean.items():
        print(f"{'clean' if is_clean else 'FINDINGS':8}  {title}")
    return 0 if all(clean.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
