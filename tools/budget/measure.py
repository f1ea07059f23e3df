# SPDX-License-Identifier: Apache-2.0
"""What a firmware takes: flash and RAM of its image, stack from its code, instructions from runs of its models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stowage.target.board import Board
from stowage.target.board_reader import load_board
from tools.budget.gate import Item, Shares
from tools.budget.region_budgets import NoSuchRegion, region_items
from tools.size.breakdown import by_kind, flash_shares
from tools.size.image import Image, ImageError, Symbol, read_image
from tools.size.usage import Usage, usage
from tools.stack.disassembly import stack_of
from tools.stack.unbounded import UnboundedStack
from tools.trial.trial import TrialFailed, run_trial

Limits = Mapping[str, int]
"""Budgets by name: "flash", "ram", "ram in <region>", "stack", "instructions"; what is missing has none."""


class NotMeasured(Exception):
    """A firmware that cannot be measured honestly; the message says why."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The image that tries a model of the firmware out, and the memory report of the model."""

    elf: Path
    memory_json: Path


@dataclass(frozen=True, slots=True)
class Firmware:
    """A firmware and what it is measured with.

    Attributes:
        elf: the image that is flashed.
        board: the board file.
        reserve: reservations of the board that are honoured.
        trials: one for each of its models.
        objdump: the disassembler.
        qemu: the emulator.
        execution: how the board's images are executed.
    """

    elf: Path
    board: Path
    reserve: tuple[str, ...]
    trials: tuple[Trial, ...]
    objdump: Path
    qemu: str
    execution: Path


def measure(firmware: Firmware, limits: Limits) -> tuple[Item, ...]:
    """Everything that has a budget or could have one.

    Raises:
        NotMeasured: a figure cannot be had, or would not be that of the firmware.
    """
    try:
        board = load_board(firmware.board, firmware.reserve)
        image = read_image(firmware.elf)
        reports = [json.loads(trial.memory_json.read_text()) for trial in firmware.trials]
        used = usage(image, board)
        _check_linked(image, reports)
        memory = _memory_items(used, limits, sorted({name for report in reports for name in _owners(report)}))
        memory += region_items(used, board, limits)
        return (*memory, _stack_item(firmware, board, used, limits), *_instructions(firmware, board, reports, limits))
    except (ImageError, NoSuchRegion, UnboundedStack, TrialFailed) as failure:
        raise NotMeasured(str(failure)) from failure


def _check_linked(image: Image, reports: Sequence[Mapping[str, Any]]) -> None:
    """A model that the linker left out would be measured as if it took nothing."""
    linked = {symbol.name for symbol in image.symbols}
    for report in reports:
        if f"{report['model']}_run" not in linked:
            raise NotMeasured(
                f"the firmware depends on the model {report['model']}, but {report['model']}_run is not in its image: "
                "call it, or take the model out of deps"
            )


def _memory_items(used: Usage, limits: Limits, models: Sequence[str]) -> list[Item]:
    flash, ram = flash_shares(used, models), by_kind(used.ram)
    stack = [(kind, size) for kind, size in ram if kind == "stack"]
    return [
        Item("flash", used.flash_bytes, limits.get("flash"), "B", flash, _largest(used.flash_symbols)),
        Item("ram", used.ram_bytes, limits.get("ram"), "B", ram, _largest(used.ram_symbols, stack)),
    ]


def _largest(symbols: Sequence[Symbol], more: Sequence[tuple[str, int]] = ()) -> Shares:
    named = [(symbol.name, symbol.size_bytes) for symbol in symbols]
    return tuple(sorted([*named, *more], key=lambda entry: (-entry[1], entry[0])))


def _stack_item(firmware: Firmware, board: Board, used: Usage, limits: Limits) -> Item:
    bound = stack_of(firmware.elf, firmware.objdump, board.core.fpu)
    reserved = sum(part.size_bytes for part in used.ram if part.kind == "stack")
    if bound.bytes_ > reserved:
        raise NotMeasured(f"the stack may take {bound.bytes_} B, but the image sets only {reserved} B aside for it")
    deepest = tuple(sorted((frame for frame in bound.path if frame[1]), key=lambda frame: -frame[1]))
    return Item("stack", bound.bytes_, limits.get("stack"), "B", (), deepest)


def _instructions(firmware: Firmware, board: Board, reports: Sequence[Mapping[str, Any]], limits: Limits) -> list[Item]:
    """The instructions of one run of each model, at its dearest size, against one budget for all of them together."""
    if not firmware.trials:
        if "instructions" in limits:
            raise NotMeasured("it has a budget of instructions, but no model whose run could be counted")
        return []
    runs = list[tuple[str, int]]()
    dearest: dict[str, tuple[str, int]] = {}
    for trial, report in zip(firmware.trials, reports, strict=True):
        run, whole = _run(firmware, board, trial.elf, report), report.get("size_of")
        if whole:
            dearest[whole] = max(dearest.get(whole, run), run, key=lambda each: each[1])
        else:
            runs.append(run)
    runs += dearest.values()
    total = sum(amount for _, amount in runs)
    largest = tuple(sorted(runs, key=lambda run: (-run[1], run[0])))
    return [Item("instructions", total, limits.get("instructions"), "instructions", (), largest)]


def _owners(report: Mapping[str, Any]) -> Iterator[str]:
    """Whose names a model's weights begin with: its own, that of which it is one size, and its pool's."""
    yield str(report.get("size_of") or report["model"])
    if report.get("pool"):
        yield str(report["pool"])


def _run(firmware: Firmware, board: Board, elf: Path, report: Mapping[str, Any]) -> tuple[str, int]:
    """The entry of a model and the instructions of one run on zeros."""
    zeros = bytes(sum(port["size_bytes"] for port in report["inputs"]))
    trial = run_trial(firmware.qemu, firmware.execution, elf, zeros)
    bound = stack_of(elf, firmware.objdump, board.core.fpu)
    if trial.stack_high_water_bytes > bound.bytes_:
        raise NotMeasured(
            f"{elf.name} used {trial.stack_high_water_bytes} B of stack, more than its static bound of "
            f"{bound.bytes_} B: the bound is wrong, please report it"
        )
    if trial.vectors != 1 or trial.most_instructions == 0:
        raise NotMeasured(
            f"{elf.name} counted {trial.most_instructions} instructions in {trial.vectors} runs, not in 1"
        )
    return f"{report['model']}_run", trial.most_instructions
