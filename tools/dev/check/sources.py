# SPDX-License-Identifier: Apache-2.0
"""The source files of the workspace, by language."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

# Generated expectations are compared by tests, not written by hand.
_SKIPPED_FOLDERS = {"goldens", "node_modules", "__pycache__"}
_PATTERNS = {
    "c": ("*.c", "*.h"),
    "python": ("*.py",),
    "starlark": ("*.bzl", "*.bazel", "*.BUILD", "WORKSPACE"),
}


def find_sources(workspace: Path, language: str) -> list[Path]:
    """The files of a language ("c", "python" or "starlark"), sorted, relative to the workspace."""
    patterns = _PATTERNS[language]
    return sorted(file for file in _walk(workspace) if any(file.match(pattern) for pattern in patterns))


def _walk(workspace: Path) -> Iterator[Path]:
    for folder, names, files in os.walk(workspace):
        names[:] = [name for name in names if not _is_skipped(Path(folder, name), workspace)]
        yield from (Path(folder, file).relative_to(workspace) for file in files)


def _is_skipped(folder: Path, workspace: Path) -> bool:
    links_of_bazel = folder.parent == workspace and folder.name.startswith("bazel-")
    return links_of_bazel or folder.name in _SKIPPED_FOLDERS or folder.name.startswith(".")
