# SPDX-License-Identifier: Apache-2.0
"""The arguments that the test and its `.accept` share: the firmware, what measures it, the budgets as written."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.budget.measure import Firmware, Trial
from tools.budget.quantity import parse_quantity
from tools.budget.region_budgets import PREFIX

BUDGETS = ("flash", "ram", "stack", "instructions")


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be judged.

    Attributes:
        test: the label of the test.
        label: the label of the firmware.
        firmware: the firmware.
        written: the budgets as the BUILD file has them, by name.
    """

    test: str
    label: str
    firmware: Firmware
    written: Mapping[str, str]

    @property
    def limits(self) -> Mapping[str, int]:
        """The budgets as numbers.

        Raises:
            QuantityError: one is no quantity.
        """
        return {name: parse_quantity(text) for name, text in self.written.items()}


def parse(description: str | None, arguments: Sequence[str] | None) -> Request:
    """Reads a command line; of an option given twice the last one counts."""
    options = _parser(description).parse_args(arguments)
    return Request(
        test=options.test,
        label=options.firmware,
        firmware=Firmware(
            elf=options.elf,
            board=options.board,
            reserve=tuple(options.reserve),
            trials=tuple(Trial(elf, report) for elf, report in options.trial),
            objdump=options.objdump,
            qemu=options.qemu,
            execution=options.execution,
        ),
        written=_written(options),
    )


def _written(options: argparse.Namespace) -> dict[str, str]:
    budgets = {name: text for name in BUDGETS if (text := getattr(options, name)) is not None}
    regions = (text.partition("=") for text in options.ram_in)
    return budgets | {f"{PREFIX}{region}": text for region, _, text in regions}


def _parser(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--test", required=True, help="label of the test")
    parser.add_argument("--firmware", required=True, help="label of the firmware")
    parser.add_argument("--elf", required=True, type=Path, help="the image that is flashed")
    parser.add_argument("--board", required=True, type=Path, help="the board file")
    parser.add_argument("--reserve", action="append", default=[], help="reservations of the board that are honoured")
    parser.add_argument("--objdump", required=True, type=Path)
    parser.add_argument("--qemu", required=True)
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
    for name in BUDGETS:
        parser.add_argument(f"--{name}", help="the budget")
    parser.add_argument("--ram-in", action="append", default=[], metavar="REGION=SIZE", help="budget of one region")
    return parser
