# SPDX-License-Identifier: Apache-2.0
"""Functions and their instructions, read from what `objdump --disassemble --no-show-raw-insn` prints for an Arm ELF."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_FUNCTION = re.compile(r"^([0-9a-f]+) <([^>]+)>:$")
_INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(\S+)(?:\t([^;@]*))?")


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: its address, its mnemonic without width suffix, its operands as text."""

    address: int
    mnemonic: str
    operands: str


@dataclass(frozen=True, slots=True)
class Function:
    """A labelled stretch of code."""

    name: str
    address: int
    instructions: tuple[Instruction, ...]


def functions(listing: Iterable[str]) -> tuple[Function, ...]:
    """The functions of a listing in the order of their addresses; data in the code is left out."""
    found: list[tuple[str, int, list[Instruction]]] = []
    for line in listing:
        if head := _FUNCTION.match(line):
            found.append((head[2], int(head[1], 16), []))
        elif found and (body := _INSTRUCTION.match(line)) and not body[2].startswith("."):
            mnemonic = body[2].removesuffix(".n").removesuffix(".w")
            found[-1][2].append(Instruction(int(body[1], 16), mnemonic, (body[3] or "").strip()))
    return tuple(Function(name, address, tuple(body)) for name, address, body in found)
