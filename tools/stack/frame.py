# SPDX-License-Identifier: Apache-2.0
"""How much stack one function takes for itself, seen in its instructions.

Every decrement of the stack pointer is added up, wherever it stands. A compiler lowers the pointer in the prologue alone (again
after a shrink-wrapped early return at most), so that the sum is the frame or more than it, never less. A decrement whose size
depends on data cannot be bounded and is refused; so is a function that sets the pointer from another register.
"""

from __future__ import annotations

import re

from tools.stack.listing import Function, Instruction

_LIST = re.compile(r"\{([^}]*)\}")
_PRE_DECREMENT = re.compile(r"\[sp, #-(\d+)\]!")
_SUBTRACT = re.compile(r"^(?:sp, )?sp, #(\d+)$")
_REGISTERS_BYTES = {"r": 4, "s": 4, "d": 8, "q": 16}


class UnboundedFrame(Exception):
    """A function whose stack use depends on data; the message names it and the instruction."""


def frame_bytes(function: Function) -> int:
    """Bytes of stack that the function takes at most, calls not counted."""
    return sum(_decrement_bytes(function, instruction) for instruction in function.instructions)


def _decrement_bytes(function: Function, instruction: Instruction) -> int:
    mnemonic, operands = instruction.mnemonic, instruction.operands
    if mnemonic in ("push", "vpush", "fstmdbx") or (mnemonic in ("stmdb", "vstmdb") and operands.startswith("sp!")):
        return _list_bytes(operands)
    if pre := _PRE_DECREMENT.search(operands):
        return int(pre[1])
    if mnemonic in ("sub", "subw", "sub.w") and operands.startswith("sp,"):
        return _subtracted_bytes(function, instruction)
    if mnemonic in ("add", "mov") and re.match(r"^sp, r\d+$", operands):
        return _moved_bytes(function, instruction)
    return 0


def _subtracted_bytes(function: Function, instruction: Instruction) -> int:
    match = _SUBTRACT.match(instruction.operands)
    if match is None:
        raise UnboundedFrame(f"{function.name} lowers its stack pointer by a variable at {instruction.address:#x}")
    return int(match[1])


def _moved_bytes(function: Function, instruction: Instruction) -> int:
    """`add sp, rN` with rN loaded from a literal is how Thumb-1 makes frames above 508 bytes; only a negative literal
    lowers the pointer, and then the literal is what counts."""
    register = instruction.operands.split(", ")[1]
    for earlier in reversed([i for i in function.instructions if i.address < instruction.address]):
        if earlier.mnemonic.startswith("ldr") and earlier.operands.startswith(f"{register}, [pc"):
            raise UnboundedFrame(
                f"{function.name} lowers its stack pointer by a literal at {instruction.address:#x}; keep frames below 508 bytes"
            )
        if earlier.operands.startswith(f"{register},"):
            break
    raise UnboundedFrame(f"{function.name} sets its stack pointer from {register} at {instruction.address:#x}")


def _list_bytes(operands: str) -> int:
    match = _LIST.search(operands)
    if match is None:
        return 0
    return sum(_range_bytes(part.strip()) for part in match[1].split(","))


def _range_bytes(part: str) -> int:
    first, _, last = part.partition("-")
    width = _REGISTERS_BYTES.get(first[0], 4)
    return width * (int(last[1:]) - int(first[1:]) + 1) if last else width
