# SPDX-License-Identifier: Apache-2.0
"""Functions and their instructions, read from what `objdump --disassemble --no-show-raw-insn` prints for an Arm ELF.

Branch targets are taken from the address that objdump prints, never from the label beside it: the label may be an
absolute symbol that happens to have a value in the code, and two static functions may have one name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_FUNCTION = re.compile(r"^([0-9a-f]+) <([^>]+)>:$")
_INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(\S+)(?:\t([^;@]*))?")
_CONDITIONS = ["eq", "ne", "cs", "cc", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"]
_BRANCHES = ["b", "bl", "blx", "bx"]
_STACK_MOVES = ["push", "pop", "vpush", "stmdb", "vstmdb", "fstmdbx", "ldm", "ldmia", "ldmdb", "ldr", "mov"]
_SUMS = ["add", "addw", "sub", "subw"]
_CONDITIONAL = {stem + condition: stem for stem in [*_BRANCHES, *_STACK_MOVES, *_SUMS] for condition in _CONDITIONS}


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction.

    Attributes:
        address: where it is.
        mnemonic: without width suffix; without condition too if it branches or may move the stack pointer.
        operands: as text.
        conditional: whether such a condition was there.
    """

    address: int
    mnemonic: str
    operands: str
    conditional: bool


@dataclass(frozen=True, slots=True)
class Function:
    """A labelled stretch of code: its instructions and the words of data among them, by address."""

    name: str
    address: int
    instructions: tuple[Instruction, ...]
    words: Mapping[int, int]


def functions(listing: Iterable[str]) -> tuple[Function, ...]:
    """The functions of a listing in the order of their addresses."""
    found: list[tuple[str, int, list[Instruction], dict[int, int]]] = []
    for line in listing:
        if head := _FUNCTION.match(line):
            found.append((head[2], int(head[1], 16), [], {}))
        elif found and (body := _INSTRUCTION.match(line)):
            _read(body, *found[-1][2:])
    ordered = sorted(found, key=lambda entry: entry[1])
    return tuple(Function(name, address, tuple(body), words) for name, address, body, words in ordered)


def _read(line: re.Match[str], body: list[Instruction], words: dict[int, int]) -> None:
    address, mnemonic, operands = int(line[1], 16), line[2], (line[3] or "").strip()
    if mnemonic == ".word":
        words[address] = int(operands, 16)
    elif not mnemonic.startswith("."):
        plain = mnemonic.removesuffix(".n").removesuffix(".w")
        stem = _CONDITIONAL.get(plain, plain)
        body.append(Instruction(address, stem, operands, stem != plain))
