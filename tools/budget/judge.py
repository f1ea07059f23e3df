# SPDX-License-Identifier: Apache-2.0
"""The test behind `stowage_budget_test`: measures a firmware, prints the table, fails where a budget is broken."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stowage.target.board import Board
from stowage.target.board_reader import load_board
from tools.budget.gate import Item, passes, table
from tools.budget.quantity import parse_quantity
from tools.size.image import Image, ImageError, Symbol, read_image
from tools.size.usage import Part, usage
from tools.stack.disassembly import stack_of
from tools.stack.unbounded import UnboundedStack
from tools.trial.trial import TrialFailed, run_trial


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the test; returns its exit status."""
    options = _options(arguments)
    try:
        items = tuple(_items(options))
    except (ImageError, UnboundedStack, TrialFailed) as failure:
        print(f"stowage: {options.firmware}: {failure}", file=sys.stderr)
        return 1
    print(table(options.firmware, items), end="")
    return 0 if passes(items) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--firmware", required=True, help="label of the firmware, for messages")
    parser.add_argument("--elf", required=True, type=Path, help="the image that is flashed")
    parser.add_argument("--board", required=True, help="the board file")
    parser.add_argument("--reserve", action="append", default=[], help="reservations of the board that are honoured")
    parser.add_argument("--objdump", required=True, type=Path)
    parser.add_argument("--qemu", required=True, type=Path)
    parser.add_argument("--execution", required=True, type=Path, help="how the board's images are executed")
    parser.add_argument(
        "--trial",
        action="append",
        default=[],
        type=Path,
        nargs=2,
        metavar=("ELF", "JSON"),
        help="trial image and memory report of a model",
    )
    for name in ("flash", "ram", "stack", "instructions"):
        parser.add_argument(f"--{name}", type=parse_quantity, help="the budget")
    return parser.parse_args(arguments)


def _items(options: argparse.Namespace) -> list[Item]:
    board = load_board(options.board, options.reserve)
    image = read_image(options.elf)
    return [*_memory_items(image, board, options), _stack_item(options, board), *_instruction_items(options, board)]


def _memory_items(image: Image, board: Board, options: argparse.Namespace) -> list[Item]:
    used = usage(image, board)
    return [
        Item("flash", used.flash_bytes, options.flash, "B", _largest(used.flash, used.flash_symbols)),
        Item("ram", used.ram_bytes, options.ram, "B", _largest(used.ram, used.ram_symbols)),
    ]


def _largest(parts: Sequence[Part], symbols: Sequence[Symbol]) -> tuple[tuple[str, int], ...]:
    """Symbols by size, with those kinds of memory that have no symbols."""
    named = [(symbol.name, symbol.size_bytes) for symbol in symbols]
    stack = [(part.kind, part.size_bytes) for part in parts if part.kind == "stack"]
    return tuple(sorted([*named, *stack], key=lambda entry: (-entry[1], entry[0])))


def _stack_item(options: argparse.Namespace, board: Board) -> Item:
    bound = stack_of(options.elf, options.objdump, board.core.fpu)
    return Item("stack", bound.bytes_, options.stack, "B", tuple(sorted(bound.path, key=lambda entry: -entry[1])))


def _instruction_items(options: argparse.Namespace, board: Board) -> list[Item]:
    """The instructions of one run of each model, largest first, against one budget for all of them together."""
    if not options.trial:
        return []
    runs = [_measured(options, elf, json.loads(report.read_text()), board) for elf, report in options.trial]
    contributors = sorted(runs, key=lambda entry: -entry[1])
    total = sum(amount for _, amount in contributors)
    return [Item("instructions", total, options.instructions, "instructions", tuple(contributors))]


def _measured(options: argparse.Namespace, elf: Path, report: dict[str, Any], board: Board) -> tuple[str, int]:
    """The entry of a model and the instructions of one run on zeros: no other input takes more or fewer."""
    zeros = bytes(sum(port["size_bytes"] for port in report["inputs"]))
    trial = run_trial(options.qemu, options.execution, elf, zeros)
    bound = stack_of(elf, options.objdump, board.core.fpu)
    if trial.stack_high_water_bytes > bound.bytes_:
        raise TrialFailed(
            f"{elf.name} used {trial.stack_high_water_bytes} B of stack, more than its static bound of {bound.bytes_} B: "
            "the bound is wrong, please report it"
        )
    return f"{report['model']}_run", trial.most_instructions


if __name__ == "__main__":
    sys.exit(main())
