# SPDX-License-Identifier: Apache-2.0
"""How much stack one function takes for itself, seen in its instructions.

Every decrement of the stack pointer is added up, wherever it stands, conditional or not. A compiler lowers the pointer
in the prologue alone (again after a shrink-wrapped early return at most), so that the sum is the frame or more than it,
never less. A decrement whose size depends on data cannot be bounded and is refused; so is every other way to set the
pointer. That CONTROL is written is none if only its bit 0 changes: that is the privileges' (Armv7-M Architecture
Reference Manual, B1.4.4).
"""

from __future__ import annotations

import re

from tools.stack.listing import Function, Instruction
from tools.stack.register_value import register_value
from tools.stack.unbounded import UnboundedStack

_LIST = re.compile(r"\{([^}]*)\}")
_DECREMENT = re.compile(r"\[sp, #-(\d+)\]!|\[sp\], #-(\d+)")
_IMMEDIATE = re.compile(r"^sp, (?:sp, )?#(\d+)$")
_REGISTER = re.compile(r"^sp, (?:sp, )?(\w+)$")
_PUSHES = ("push", "vpush")
_DECREMENTS_BEFORE = ("stmdb", "vstmdb", "fstmdbx", "ldmdb", "vldmdb")
_READS_ONLY = re.compile(r"cmp|cmn|tst|teq|v?st|v?ldm")
_REGISTERS_BYTES = {"r": 4, "s": 4, "d": 8, "q": 16}


def frame_bytes(function: Function) -> int:
    """Bytes of stack that the function takes at most, calls not counted.

    Raises:
        UnboundedStack: that depends on data.
    """
    return sum(_decrement_bytes(function, instruction) for instruction in function.instructions)


def _decrement_bytes(function: Function, instruction: Instruction) -> int:
    mnemonic, operands = instruction.mnemonic, instruction.operands
    if mnemonic in _PUSHES or (mnemonic in _DECREMENTS_BEFORE and operands.startswith("sp!")):
        return _list_bytes(operands)
    if match := _DECREMENT.search(operands):
        return int(match[1] or match[2])
    if operands.startswith("sp,") and not _READS_ONLY.match(mnemonic):
        return _set_bytes(function, instruction)
    is_pointer = mnemonic == "msr" and operands.split(",")[0].upper() in ("MSP", "PSP", "CONTROL")
    if is_pointer and not _changes_privileges_alone(function, instruction):
        raise UnboundedStack(f"{function.name} sets a stack pointer at {instruction.address:#x}")
    return 0


def _changes_privileges_alone(function: Function, instruction: Instruction) -> bool:
    """Whether CONTROL gets back what was read from it just before, with bit 0 set or cleared."""
    index = function.instructions.index(instruction)
    register = instruction.operands.split(",")[1].strip()
    before = [(each.mnemonic, each.operands.strip()) for each in function.instructions[max(0, index - 2) : index]]
    changes = [(change, f"{register}, {register}, #1") for change in ("orr", "bic")]
    read = ("mrs", f"{register}, CONTROL")
    return instruction.operands.startswith("CONTROL") and before in [[read, change] for change in changes]


def _set_bytes(function: Function, instruction: Instruction) -> int:
    """How far an instruction lowers the stack pointer, its destination."""
    kind = instruction.mnemonic.removesuffix("w")
    if kind in ("add", "sub") and (match := _IMMEDIATE.match(instruction.operands)):
        return int(match[1]) if kind == "sub" else 0
    if kind == "add" and (match := _REGISTER.match(instruction.operands)):
        return _added_bytes(function, instruction, match[1])
    raise UnboundedStack(f"{function.name} sets its stack pointer by a variable at {instruction.address:#x}")


def _added_bytes(function: Function, instruction: Instruction, register: str) -> int:
    """`add sp, rN` with a constant in rN: so Armv6-M makes and leaves frames above 508 bytes."""
    value = register_value(function, instruction, register)
    if value is None:
        raise UnboundedStack(f"{function.name} adds {register} to its stack pointer at {instruction.address:#x}")
    return (1 << 32) - value if value >> 31 else 0


def _list_bytes(operands: str) -> int:
    match = _LIST.search(operands)
    if match is None:
        return 0
    return sum(_range_bytes(part.strip()) for part in match[1].split(","))


def _range_bytes(part: str) -> int:
    first, _, last = part.partition("-")
    width = _REGISTERS_BYTES.get(first[0], 4) if first[1:].isdigit() else 4
    return width * (int(last[1:]) - int(first[1:]) + 1) if last else width
