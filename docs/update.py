# SPDX-License-Identifier: Apache-2.0
"""`./bazelw run //docs:update` writes the pages that are generated."""

from __future__ import annotations

import os
from pathlib import Path

from docs.conformance_page import conformance_page
from docs.operator_table import operator_page
from docs.starlark_reference import rule_reference
from docs.tflite_operator_table import tflite_operator_page
from stowage.target.find_board import find_board
from tests.conformance.verdict import read_verdicts

# What the build has made of ONNX's backend tests.
VERDICTS = Path(__file__).parents[1] / "tests" / "conformance" / "host" / "verdicts.jsonl"


def pages(workspace: Path) -> dict[str, str]:
    """The generated pages by their place in the workspace."""
    verdicts = read_verdicts(VERDICTS)
    return {
        "docs/conformance.md": conformance_page(verdicts),
        "docs/operators.md": operator_page(find_board("nrf52"), verdicts),
        "docs/rules.md": rule_reference(workspace),
        "docs/tflite_operators.md": tflite_operator_page(),
    }


def main() -> None:
    """Writes them into the workspace that `bazel run` was called in."""
    workspace = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    for place, text in pages(workspace).items():
        (workspace / place).write_text(text, encoding="utf-8")
        print(f"wrote {place}")


if __name__ == "__main__":
    main()
