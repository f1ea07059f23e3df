# SPDX-License-Identifier: Apache-2.0
"""Generates how tests execute a board's images, as the JSON file that `tools/qemu/run.py` reads."""

from __future__ import annotations

import json

from stowage.target.board import Board, QemuMachine, Role


def qemu_arguments(board: Board) -> str:
    """The text of the JSON file.

    `board` is the board's name and `exec` is qemu, device or host. For qemu, `arguments` are the machine's own. `boot`
    is null, or says for an image that what is reserved below it would start: where the core looks for a vector table
    at reset (`reset_address`), and where the image has it (`vectors`).
    """
    execution = board.execution
    if not isinstance(execution, QemuMachine):
        return _text({"board": board.name, "exec": execution.value})
    vectors = board.roles[Role.CODE][0]
    chained = vectors.free.base != vectors.span.base
    return _text(
        {
            "board": board.name,
            "exec": "qemu",
            "arguments": _machine_arguments(execution),
            "boot": {"vectors": vectors.free.base, "reset_address": vectors.span.base} if chained else None,
        }
    )


def _machine_arguments(machine: QemuMachine) -> list[str]:
    cpu = ["-cpu", machine.cpu] if machine.cpu else []
    return ["-machine", machine.machine, *cpu, "-icount", f"shift={machine.icount_shift}", *machine.arguments]


def _text(content: dict[str, object]) -> str:
    return json.dumps(content, indent=2) + "\n"
