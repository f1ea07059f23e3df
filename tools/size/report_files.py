# SPDX-License-Identifier: Apache-2.0
"""Writes the memory report of a firmware as text and as JSON: the action behind the output group `report`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from stowage.target.board_reader import load_board
from tools.size.image import ImageError, read_image
from tools.size.report import report_record, report_text
from tools.size.usage import usage
from tools.stack.disassembly import stack_of
from tools.stack.unbounded import UnboundedStack


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the action; returns its exit status."""
    options = _options(arguments)
    board = load_board(options.board, options.reserve)
    try:
        used = usage(read_image(options.elf), board)
        stack_bytes = stack_of(options.elf, options.objdump, board.core.fpu).bytes_
    except (ImageError, UnboundedStack) as failure:
        print(f"stowage: {options.firmware}: {failure}", file=sys.stderr)
        return 1
    models = [json.loads(path.read_text()) for path in options.model]
    record = report_record(options.firmware, board.name, used, stack_bytes, models)
    options.text.write_text(report_text(record))
    options.json.write_text(json.dumps(record, indent=2) + "\n")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--firmware", required=True, help="label of the firmware")
    parser.add_argument("--elf", required=True, type=Path, help="the image that is flashed")
    parser.add_argument("--board", required=True, help="the board file")
    parser.add_argument("--reserve", action="append", default=[], help="reservations of the board that are honoured")
    parser.add_argument("--objdump", required=True, type=Path)
    parser.add_argument("--model", action="append", default=[], type=Path, help="memory report of a model, JSON")
    parser.add_argument("--text", required=True, type=Path)
    parser.add_argument("--json", required=True, type=Path)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
