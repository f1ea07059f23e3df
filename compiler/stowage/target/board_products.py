# SPDX-License-Identifier: Apache-2.0
"""What is kept in the tree although it is generated from the board files: the READMEs' maps, and goldens.

`./bazelw run //boards:update` writes them; a test compares them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from stowage.target.board_files import generated_files
from stowage.target.board_reader import load_board
from stowage.target.readme_table import with_readme_table

GOLDENS = Path("compiler/stowage/target/goldens")

# One board for each way of generating: no MPU, PMSAv7, PMSAv7 with something reserved, PMSAv8, the host.
_GOLDEN_BOARDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("microbit", "microbit", ()),
    ("nrf52", "nrf52", ()),
    ("nrf52_s140", "nrf52", ("softdevice_s140",)),
    ("mps3_an547", "mps3_an547", ()),
    ("host", "host", ()),
)


def board_products(root: Path) -> Iterator[tuple[Path, str]]:
    """The path of each product, relative to the workspace at `root`, and the text that it should have."""
    for file in sorted(root.glob("boards/*/board.textproto")):
        readme = file.with_name("README.md")
        text = with_readme_table(readme.read_text(encoding="utf-8"), str(readme), load_board(file))
        yield readme.relative_to(root), text
    for golden, name, reserve in _GOLDEN_BOARDS:
        board = load_board(root / "boards" / name / "board.textproto", reserve)
        for file_name, text in generated_files(board).items():
            yield GOLDENS / golden / file_name, text


def main() -> int:
    """Writes all products into the workspace that Bazel runs in."""
    root = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    for path, text in board_products(root):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
