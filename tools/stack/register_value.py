# SPDX-License-Identifier: Apache-2.0
"""What a register holds at an instruction, where the straight-line code before it says so.

This is enough for the constants that compilers and linkers keep in registers: the size of a large frame on Armv6-M, the
target of a veneer or of a call through a literal.
"""

from __future__ import annotations

import re

from tools.stack.listing import Function, Instruction

_LITERAL = re.compile(r"^(\w+), \[pc(?:, #(\d+))?\]$")
_IMMEDIATE = re.compile(r"^#(\d+)$")
_PRESERVED = frozenset(["r4", "r5", "r6", "r7", "r8", "r9", "sl", "fp"])
_BRANCHES = frozenset(["b", "bx", "cbz", "cbnz", "tbb", "tbh", "le", "wls"])
_CALLS = frozenset(["bl", "blx"])
_WRITES_NOTHING = frozenset(["cmp", "cmn", "tst", "teq", "str", "strb", "strh", "strd", "push", "nop", "it", "msr"])
_HEXADECIMAL = re.compile(r"\b([0-9a-f]+) <")


def register_value(function: Function, at: Instruction, register: str) -> int | None:
    """The register's value before the instruction as an unsigned word, or None where it is not plain to see."""
    before = tuple(i for i in function.instructions if i.address < at.address)
    return _value(function, before, at.address, register)


def literal_value(function: Function, instruction: Instruction) -> int | None:
    """The word that a load relative to the program counter reads."""
    match = _LITERAL.match(instruction.operands)
    if instruction.mnemonic != "ldr" or match is None:
        return None
    base = (instruction.address & ~3) + 4
    return function.words.get(base + int(match[2] or 0))


def _value(function: Function, before: tuple[Instruction, ...], joined: int, register: str) -> int | None:
    """The value after all of `before`, whose successor stands at `joined`."""
    targets = _targets(function)
    for index in range(len(before) - 1, -1, -1):
        instruction = before[index]
        if joined in targets or _loses(instruction, register):
            return None
        if _destination(instruction) == register:
            return _assigned(function, before[:index], instruction, register)
        joined = instruction.address
    return None


def _assigned(
    function: Function, before: tuple[Instruction, ...], instruction: Instruction, register: str
) -> int | None:
    if instruction.conditional:
        return None
    operands = instruction.operands.split(", ")[1:]
    last = _IMMEDIATE.match(operands[-1])
    if instruction.mnemonic in ("mov", "movs") and len(operands) == 1:
        return int(last[1]) if last else _value(function, before, instruction.address, operands[0])
    if instruction.mnemonic == "lsls" and last and len(operands) == 2:
        shifted = _value(function, before, instruction.address, operands[0])
        return None if shifted is None else shifted << int(last[1]) & 0xFFFFFFFF
    return literal_value(function, instruction)


def _destination(instruction: Instruction) -> str:
    """The register that an instruction writes, if it writes one; loads of several are left to `_loses`."""
    return "" if instruction.mnemonic in _WRITES_NOTHING else instruction.operands.split(",")[0]


def _loses(instruction: Instruction, register: str) -> bool:
    """Whether the value is out of sight before this instruction."""
    if instruction.mnemonic in _CALLS:
        return register not in _PRESERVED
    several = instruction.mnemonic in ("pop", "ldm", "ldmia", "ldmdb", "ldrd", "smull", "umull")
    return instruction.mnemonic in _BRANCHES or (several and _mentions(instruction, register))


def _mentions(instruction: Instruction, register: str) -> bool:
    return "-" in instruction.operands or re.search(rf"\b{register}\b", instruction.operands) is not None


def _targets(function: Function) -> frozenset[int]:
    """Where branches of the function go, its own code among that."""
    found = (_HEXADECIMAL.search(i.operands) for i in function.instructions)
    return frozenset(int(match[1], 16) for match in found if match)
