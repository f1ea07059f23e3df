# SPDX-License-Identifier: Apache-2.0
"""`./bazelw run //docs:update` writes the pages that are generated."""

from __future__ import annotations

import os
from pathlib import Path

from docs.operator_table import operator_page
from docs.starlark_reference import rule_reference
from stowage.target.find_board import find_board


def pages(workspace: Path) -> dict[str, str]:
    """The generated pages by their place in the workspace."""
    return {
        "docs/operators.md": operator_page(find_board("nrf52")),
        "docs/rules.md": rule_reference(workspace),
    }


def main() -> None:
    """Writes them into the workspace that `bazel run` was called in."""
    workspace = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    for place, text in pages(workspace).items():
        (workspace / place).write_text(text, encoding="utf-8")
        print(f"wrote {place}")


if __name__ == "__main__":
    main()
